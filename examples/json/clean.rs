//! One walk over all values of a document, changing them in place.

use serde_json::{Map, Value};
use timed::timed;

/// Fields whose values nobody should see.
const SECRETS: [&str; 4] = ["password", "secret", "token", "iban"];

/// Cleans values, and counts what it met.
#[derive(Default)]
pub(crate) struct Cleaner {
    /// Values that were looked at.
    pub(crate) values: usize,
    /// Nulls dropped from arrays and objects.
    pub(crate) nulls: usize,
    /// Fields redacted.
    pub(crate) secrets: usize,
    /// Strings whose white space had to be put in order.
    pub(crate) texts: usize,
    /// The sum of all numbers.
    pub(crate) sum: f64,
}

impl Cleaner {
    #[timed]
    pub(crate) fn clean(&mut self, value: &mut Value) {
        self.values += 1;
        match value {
            Value::Array(items) => self.clean_array(items),
            Value::Object(fields) => self.clean_object(fields),
            Value::String(text) => {
                if let Some(better) = normalised(text) {
                    *text = better;
                    self.texts += 1;
                }
            }
            Value::Number(number) => self.sum += number.as_f64().unwrap_or(0.0),
            Value::Null | Value::Bool(_) => {}
        }
    }

    #[timed]
    fn clean_array(&mut self, items: &mut Vec<Value>) {
        let before = items.len();
        items.retain(|item| !item.is_null());
        self.nulls += before - items.len();
        for item in items {
            self.clean(item);
        }
    }

    #[timed]
    fn clean_object(&mut self, fields: &mut Map<String, Value>) {
        let before = fields.len();
        fields.retain(|_, value| !value.is_null());
        self.nulls += before - fields.len();
        for (key, value) in fields {
            if is_secret(key) {
                *value = Value::from("[redacted]");
                self.secrets += 1;
            } else {
                self.clean(value);
            }
        }
    }
}

#[timed]
fn is_secret(key: &str) -> bool {
    SECRETS.iter().any(|secret| key.eq_ignore_ascii_case(secret))
}

/// The text with one space between its words and none around them, if that makes a difference.
#[timed]
fn normalised(text: &str) -> Option<String> {
    let tidy = text.trim() == text && !text.contains("  ") && !text.contains(['\t', '\n', '\r']);
    if tidy {
        return None;
    }
    let words: Vec<_> = text.split_whitespace().collect();
    Some(words.join(" "))
}
