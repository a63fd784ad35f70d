//! Reading a document with `quick-xml`.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::document::{Attribute, Content, DOCUMENT, Document, ItemId};

/// Reads a document. White space is kept; text and references that follow each other are one text.
///
/// # Errors
/// What is wrong, and at which byte.
pub(super) fn read(text: &str) -> Result<Document, String> {
    let mut reader = Reader::from_str(text);
    let mut builder =
        Builder { document: Document::new(), inside: vec![DOCUMENT], text: String::new() };
    loop {
        let event = reader.read_event().map_err(|error| error.to_string());
        match event.and_then(|event| builder.take(event)) {
            Ok(Progress::More) => {}
            Ok(Progress::Done) => return builder.finish(),
            Err(error) => return Err(format!("{error}, at byte {}", reader.buffer_position())),
        }
    }
}

enum Progress {
    More,
    Done,
}

/// The document so far.
struct Builder {
    document: Document,
    /// The items that are open, the document first.
    inside: Vec<ItemId>,
    /// Text read since the last other item.
    text: String,
}

impl Builder {
    fn take(&mut self, event: Event<'_>) -> Result<Progress, String> {
        match event {
            Event::Text(text) => {
                self.text.push_str(&text.xml_content(XmlVersion::Explicit1_0).map_err(say)?)
            }
            Event::GeneralRef(reference) => self.text.push_str(&resolve(&reference)?),
            Event::Start(tag) => {
                let element = self.add(element(&tag)?);
                self.inside.push(element);
            }
            Event::Empty(tag) => {
                self.add(element(&tag)?);
            }
            Event::End(_) => {
                self.end_text();
                self.inside.pop();
            }
            Event::CData(data) => {
                let text = data.xml_content(XmlVersion::Explicit1_0).map_err(say)?.into_owned();
                self.add(Content::Literal(text));
            }
            Event::Comment(text) => {
                let text = text.xml_content(XmlVersion::Explicit1_0).map_err(say)?.into_owned();
                self.add(Content::Comment(text));
            }
            Event::Decl(declaration) => {
                self.add(Content::Instruction(utf8(&declaration)?));
            }
            Event::PI(instruction) => {
                self.add(Content::Instruction(utf8(&instruction)?));
            }
            Event::DocType(text) => {
                let text = text.xml_content(XmlVersion::Explicit1_0).map_err(say)?.into_owned();
                self.add(Content::DocumentType(text));
            }
            Event::Eof => return Ok(Progress::Done),
        }
        Ok(Progress::More)
    }

    /// Adds `content` to the innermost open item, after the text that came before it.
    fn add(&mut self, content: Content) -> ItemId {
        self.end_text();
        self.document.add(self.innermost(), content)
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.document.add(self.innermost(), Content::Text(text));
        }
    }

    fn innermost(&self) -> ItemId {
        *self.inside.last().expect("the reader pairs start and end tags, and the document stays")
    }

    fn finish(mut self) -> Result<Document, String> {
        self.end_text();
        if self.inside.len() > 1 {
            return Err("the document ends before its elements do".to_owned());
        }
        let elements = self.document.items().iter();
        match elements.filter(|item| matches!(item.content, Content::Element { .. })).count() {
            0 => Err("there is no element in it".to_owned()),
            _ => Ok(self.document),
        }
    }
}

fn element(tag: &BytesStart<'_>) -> Result<Content, String> {
    let attribute = |attribute: Result<quick_xml::events::attributes::Attribute<'_>, _>| {
        let attribute = attribute.map_err(|error| format!("{error}"))?;
        let value = attribute.normalized_value(XmlVersion::Explicit1_0).map_err(say)?;
        Ok(Attribute { name: utf8(attribute.key.as_ref())?, value: value.into_owned() })
    };
    Ok(Content::Element {
        name: utf8(tag.name().as_ref())?,
        attributes: tag.attributes().map(attribute).collect::<Result<_, String>>()?,
        children: Vec::new(),
    })
}

/// What a reference in text stands for.
fn resolve(reference: &BytesRef<'_>) -> Result<String, String> {
    if let Some(character) = reference.resolve_char_ref().map_err(say)? {
        return Ok(character.to_string());
    }
    let name = reference.decode().map_err(say)?;
    let text = resolve_predefined_entity(&name);
    text.map(str::to_owned).ok_or_else(|| format!("the entity `{name}` is not known"))
}

fn utf8(bytes: &[u8]) -> Result<String, String> {
    String::from_utf8(bytes.to_vec()).map_err(say)
}

fn say(error: impl ToString) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::super::write::serialize;
    use super::*;

    #[test]
    fn what_is_read_is_written_as_it_was() {
        let text = "<?xml version=\"1.0\"?>\n<!DOCTYPE a>\n<!-- all -->\n\
                    <a x=\"&lt;&amp;&#10;\" y:z=\"ü\">1 &lt; 2 &amp;<b/><c><![CDATA[<]]> </c>\n<?do it?></a>\n";
        let document = read(text).unwrap();
        assert_eq!(serialize(&document), text);
    }

    #[test]
    fn other_ways_of_writing_mean_the_same() {
        let one = read("<a x='1'><b></b>&#x41;&quot;</a>").unwrap();
        assert_eq!(serialize(&one), "<a x=\"1\"><b/>A\"</a>");
        assert_eq!(read(&serialize(&one)).unwrap(), one);
    }

    #[test]
    fn what_is_no_document_is_refused_with_the_place() {
        for (text, words) in [
            ("<a><b></a>", "at byte"),
            ("<a>&nothing;</a>", "`nothing` is not known"),
            ("<a x=1/>", "at byte"),
            ("<a>", "ends before"),
            ("just text", "no element"),
            ("", "no element"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
