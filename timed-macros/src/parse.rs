//! From tokens to the model.
//!
//! Only headers are looked at, tree by tree: a body that does not parse yet, or syntax newer than
//! this crate, is no obstacle.

mod assigned;
mod item;
mod options;
mod parameters;
mod tail;

pub(crate) use assigned::is_assigned_at_an_end;
pub(crate) use item::{inner_attributes, item, split};
pub(crate) use options::{options, string};
pub(crate) use parameters::{Binding, Parameters, parameters};
pub(crate) use tail::{Tail, first_expression, is_cut_short, tail};
