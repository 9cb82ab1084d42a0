//! Options that are wrong: one error each, at the token, and every function is still there.

use timed::timed;

#[timed(label = "a")]
fn unknown() {}

#[timed(name)]
fn no_value() {}

#[timed(sample = )]
fn value_missing() {}

#[timed(name = "a" sample = 2)]
fn no_comma() {}

#[timed(sample = 2, fence = "full", sample = 3)]
fn twice() {}

#[timed(name = 'a')]
fn name_of_another_type() {}

#[timed(name = concat!("a", "b"))]
fn name_of_an_expression() {}

#[timed(name = r"")]
fn name_empty() {}

#[timed(fence = "loose")]
fn fence_of_another_name() {}

#[timed(fence = relaxed)]
fn fence_without_quotes() {}

#[timed(sample = 0)]
fn sample_of_none() {}

#[timed(sample = "64")]
fn sample_in_quotes() {}

#[timed(sample = -64)]
fn sample_below_zero() {}

#[timed(skip = true)]
fn skip_with_value() {}

#[timed(name = "a", skip)]
fn skip_and_more() {}

#[timed(crate = "my::timed")]
fn crate_in_quotes() {}

#[timed("a")]
fn no_key() {}

fn main() {
    unknown();
    no_value();
    value_missing();
    no_comma();
    twice();
    name_of_another_type();
    name_of_an_expression();
    name_empty();
    fence_of_another_name();
    fence_without_quotes();
    sample_of_none();
    sample_in_quotes();
    sample_below_zero();
    skip_with_value();
    skip_and_more();
    crate_in_quotes();
    no_key();
}
