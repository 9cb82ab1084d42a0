//! `scope!`, `block!` and `hop!` written wrongly: one error each, at the token.

fn names(name: &str) -> u32 {
    timed::scope!();
    timed::scope!(name);
    timed::scope!(3);
    timed::scope!("");
    timed::scope!("a", 1);
    let a = timed::block!(name, { 1 });
    let b = timed::block!("b" { 2 });
    let c = timed::block!("c", 3);
    let d = timed::block!("d", { 4 }, 5);
    let begin = timed::stamp();
    timed::hop!();
    timed::hop!(name, begin);
    timed::hop!("");
    timed::hop!("e");
    timed::hop!("f",);
    timed::hop!("g" begin);
    timed::hop!("h", begin, 1);
    a + b + c + d
}

fn main() {
    names("a");
}
