//! A document model: all its items in one array, children by index.

/// An index into [`Document::items`].
pub(super) type ItemId = u32;

/// The item that holds all others.
pub(super) const DOCUMENT: ItemId = 0;

/// A document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Document {
    items: Vec<Item>,
}

/// An item and the one it is in; the document is in itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) parent: ItemId,
    pub(super) content: Content,
}

/// What an item is. Text is as it is meant, not as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// All that is not in something else.
    Document {
        children: Vec<ItemId>,
    },
    Element {
        name: String,
        attributes: Vec<Attribute>,
        children: Vec<ItemId>,
    },
    Text(String),
    /// In a `CDATA` section.
    Literal(String),
    Comment(String),
    /// `<?…?>`, the declaration too.
    Instruction(String),
    /// `<!DOCTYPE …>`.
    DocumentType(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
}

impl Document {
    pub(super) fn new() -> Document {
        let content = Content::Document { children: Vec::new() };
        Document { items: vec![Item { parent: DOCUMENT, content }] }
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    pub(super) fn item(&self, id: ItemId) -> &Item {
        &self.items[id as usize]
    }

    /// What is directly in `id`, in order.
    pub(super) fn children(&self, id: ItemId) -> &[ItemId] {
        match &self.item(id).content {
            Content::Document { children } | Content::Element { children, .. } => children,
            _ => &[],
        }
    }

    /// Appends `content` to what is in `parent`.
    ///
    /// # Panics
    /// If nothing can be in `parent`, or there are 2^32 items.
    pub(super) fn add(&mut self, parent: ItemId, content: Content) -> ItemId {
        let id = ItemId::try_from(self.items.len()).expect("fewer than 2^32 items");
        match &mut self.items[parent as usize].content {
            Content::Document { children } | Content::Element { children, .. } => children.push(id),
            other => panic!("nothing can be in {other:?}"),
        }
        self.items.push(Item { parent, content });
        id
    }

    /// Whether both say the same, however they number their items.
    pub(super) fn says_as(&self, other: &Document) -> bool {
        let mut pending = vec![(DOCUMENT, DOCUMENT)];
        while let Some((one, another)) = pending.pop() {
            let (children, theirs) = (self.children(one), other.children(another));
            let is_same = match (&self.item(one).content, &other.item(another).content) {
                (Content::Document { .. }, Content::Document { .. }) => true,
                (
                    Content::Element { name, attributes, .. },
                    Content::Element { name: their_name, attributes: their_attributes, .. },
                ) => name == their_name && attributes == their_attributes,
                (content, their_content) => content == their_content,
            };
            if !is_same || children.len() != theirs.len() {
                return false;
            }
            pending.extend(children.iter().copied().zip(theirs.iter().copied()));
        }
        true
    }

    /// A copy of the item `id` of `other`, with all that is in it, appended to what is in `parent`.
    pub(super) fn add_copy(&mut self, parent: ItemId, other: &Document, id: ItemId) {
        let mut pending = vec![(parent, id)];
        while let Some((parent, id)) = pending.pop() {
            let content = match &other.item(id).content {
                Content::Element { name, attributes, .. } => Content::Element {
                    name: name.clone(),
                    attributes: attributes.clone(),
                    children: Vec::new(),
                },
                content => content.clone(),
            };
            let copy = self.add(parent, content);
            pending.extend(other.children(id).iter().rev().map(|&child| (copy, child)));
        }
    }
}

impl Content {
    /// An element with nothing in it yet.
    pub(super) fn element(name: &str, attributes: &[(&str, &str)]) -> Content {
        let attribute = |&(name, value): &(&str, &str)| Attribute {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        Content::Element {
            name: name.to_owned(),
            attributes: attributes.iter().map(attribute).collect(),
            children: Vec::new(),
        }
    }
}
