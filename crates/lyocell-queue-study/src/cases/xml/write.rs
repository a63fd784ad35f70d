//! Writing items as XML: the pieces, and the serial serialiser.

use quick_xml::escape::{escape, partial_escape};

use super::document::{Content, DOCUMENT, Document, ItemId};

/// Writes what comes before an item's children; all of it, if it has none.
pub(super) fn open(out: &mut String, content: &Content) {
    match content {
        Content::Document { .. } => {}
        Content::Element { name, attributes, children } => {
            out.push('<');
            out.push_str(name);
            for attribute in attributes {
                out.push(' ');
                out.push_str(&attribute.name);
                out.push_str("=\"");
                escape_attribute(out, &attribute.value);
                out.push('"');
            }
            out.push_str(if children.is_empty() { "/>" } else { ">" });
        }
        Content::Text(text) => escape_text(out, text),
        Content::Literal(text) => wrap(out, "<![CDATA[", text, "]]>"),
        Content::Comment(text) => wrap(out, "<!--", text, "-->"),
        Content::Instruction(text) => wrap(out, "<?", text, "?>"),
        Content::DocumentType(text) => wrap(out, "<!DOCTYPE ", text, ">"),
    }
}

/// Writes what comes after an item's children, if it has any.
pub(super) fn close(out: &mut String, content: &Content) {
    if let Content::Element { name, children, .. } = content {
        if !children.is_empty() {
            wrap(out, "</", name, ">");
        }
    }
}

/// The serial serialiser: one text, front to back.
pub(super) fn serialize(document: &Document) -> String {
    enum Step {
        Open(ItemId),
        Close(ItemId),
    }
    let mut out = String::new();
    let mut steps = vec![Step::Open(DOCUMENT)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Open(id) => {
                open(&mut out, &document.item(id).content);
                steps.push(Step::Close(id));
                steps.extend(document.children(id).iter().rev().map(|&child| Step::Open(child)));
            }
            Step::Close(id) => close(&mut out, &document.item(id).content),
        }
    }
    out
}

/// White space that a parser would change is written as references too.
fn escape_attribute(out: &mut String, value: &str) {
    push_with_references(out, &escape(value), &['\n', '\r', '\t']);
}

fn escape_text(out: &mut String, text: &str) {
    push_with_references(out, &partial_escape(text), &['\r']);
}

/// Writes each of `characters` by its number.
fn push_with_references(out: &mut String, text: &str, characters: &[char]) {
    let mut rest = text;
    while let Some(place) = rest.find(characters) {
        let character = u32::from(rest.as_bytes()[place]);
        out.push_str(&rest[..place]);
        out.push_str(&format!("&#{character};"));
        // The characters are one byte each.
        rest = &rest[place + 1..];
    }
    out.push_str(rest);
}

fn wrap(out: &mut String, before: &str, text: &str, after: &str) {
    out.push_str(before);
    out.push_str(text);
    out.push_str(after);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_item_is_written_as_xml_has_it() {
        let mut document = Document::new();
        let mut add = |parent, content| document.add(parent, content);
        add(DOCUMENT, Content::Instruction("xml version=\"1.0\"".to_owned()));
        add(DOCUMENT, Content::DocumentType("a".to_owned()));
        let a = add(DOCUMENT, Content::element("a", &[("x", "<\"\n&\t>")]));
        add(a, Content::Text("1 < 2 &\r3 > 2".to_owned()));
        add(a, Content::element("b", &[]));
        let c = add(a, Content::element("c", &[]));
        add(c, Content::Literal("<raw>".to_owned()));
        add(a, Content::Comment(" note ".to_owned()));
        assert_eq!(
            serialize(&document),
            "<?xml version=\"1.0\"?><!DOCTYPE a>\
             <a x=\"&lt;&quot;&#10;&amp;&#9;&gt;\">1 &lt; 2 &amp;&#13;3 &gt; 2<b/>\
             <c><![CDATA[<raw>]]></c><!-- note --></a>"
        );
    }
}
