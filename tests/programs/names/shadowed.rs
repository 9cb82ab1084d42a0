//! Everything that an expansion could reach for by a short name is something else here.

#![allow(dead_code, unused_macros, non_camel_case_types, non_upper_case_globals)]


macro_rules! wrong_macros {
    ($dollar:tt $($name:ident)*) => {
        $(macro_rules! $name {
            ($dollar($dollar any:tt)*) => {
                compile_error!("the user's macro was used")
            };
        })*
    };
}
wrong_macros! {
    $ concat stringify line column file module_path thread_local panic unreachable submit enter may_end
    scope block cfg env include compile_error __timed_enter __timed_site __timed_may_end matches
    addr_of const_format_args format_args
}

mod world {
    use ::timed::timed;

    pub mod core {}
    pub mod std {}
    pub mod alloc {}
    pub mod inventory {}
    pub mod timed_runtime {}
    pub mod timed_macros {}
    pub mod __private {}

    pub struct Option<T>(pub T);
    pub struct Result(pub u8);
    pub struct Box;
    pub struct Vec;
    pub struct String;
    pub struct Site;
    pub struct Guard;
    pub struct Name;
    pub struct Kind;
    pub struct Reads;
    pub struct Listed;
    pub struct Tally;
    pub struct Void;
    pub trait Drop {}
    pub trait Copy {}
    pub trait Clone {}
    pub trait Sync {}
    pub trait Send {}
    pub trait Sized {}
    pub trait Fn {}
    pub trait FnOnce {}
    pub trait Into {}
    pub trait Default {}
    pub type u8 = ::core::primitive::u16;
    pub type u32 = u8;
    pub type u64 = u8;
    pub type usize = u8;
    pub type f64 = ::core::primitive::f32;
    pub type bool = u8;
    pub type str = u8;
    pub const Some: u8 = 1;
    pub const None: u8 = 2;
    pub const Ok: u8 = 3;
    pub static Err: u8 = 4;
    pub fn drop() {}
    pub fn hold() {}
    pub fn hold_float() {}
    pub fn enter() {}
    pub fn enter_relaxed() {}
    pub fn enter_sampled() {}
    pub fn type_name() {}
    pub fn submit() {}
    pub fn any() {}
    pub fn void() {}
    pub fn new() {}

    #[timed]
    pub fn sum(n: u8) -> Result {
        Result(n + Some + None + Ok + Err)
    }

    #[timed(sample = 3)]
    pub fn float(n: f64) -> f64 {
        n * 2.0
    }

    #[timed(fence = "relaxed", name = "b")]
    pub fn truth(n: bool) -> Option<bool> {
        hold();
        enter();
        Option(n)
    }

    #[timed]
    pub fn ends(n: u8) -> Option<u8> {
        if n > 1 {
            return Option(n);
        }
        ::std::process::exit(9)
    }

    #[timed]
    impl Guard {
        pub fn go(&self, timed: u8) -> u8 {
            ::timed::scope!("go");
            ::timed::block!("stop", { timed + 1 })
        }

        pub fn timed() -> &'static str {
            &7
        }
    }

    pub mod timed {
        #[::timed::timed]
        pub fn timed(timed: u16) -> u16 {
            timed
        }
    }
}

fn main() {
    let sums = [world::sum(1).0, world::truth(2).0, world::ends(3).0, world::Guard.go(4)];
    if sums != [11, 2, 3, 5] || world::float(0.5) != 1.0 || *world::Guard::timed() != 7 {
        ::std::process::abort();
    }
    if world::timed::timed(3) != 3 {
        ::std::process::abort();
    }
}
