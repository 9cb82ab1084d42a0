//! Under which names calls are reported: each function its own, and each call once.

#![allow(dead_code)]

use std::fmt::Debug;
use std::ops::Add;
use std::sync::LazyLock;

use timed::timed;

#[timed]
pub fn run() {}

pub struct One;
pub struct Two<T>(pub T);
pub enum Three {
    Three,
}

impl One {
    #[timed]
    pub fn run(&self) {}
}

impl<T: Debug> Two<T> {
    #[timed]
    pub fn run(&self) {}
}

impl Two<char> {
    #[timed]
    pub fn run_char(&self) {}
}

pub trait Run {
    #[timed]
    fn run() {}

    fn other(&self);
}

impl Run for One {
    #[timed]
    fn run() {}

    #[timed]
    fn other(&self) {}
}

impl Run for Three {
    #[timed]
    fn other(&self) {}
}

impl<T> Run for Two<T> {
    #[timed]
    fn run() {}

    #[timed]
    fn other(&self) {}
}

impl<T: Debug> Run for [T] {
    #[timed]
    fn other(&self) {}
}

impl Run for &'static str {
    #[timed]
    fn other(&self) {}
}

impl<A, B> Run for (A, B) {
    #[timed]
    fn other(&self) {}
}

impl Run for fn(u8) -> u8 {
    #[timed]
    fn other(&self) {}
}

impl Run for dyn Debug {
    #[timed]
    fn other(&self) {}
}

#[timed]
impl Iterator for One {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        Some(1)
    }
}

impl Add<Two<u8>> for One {
    type Output = u8;

    #[timed]
    fn add(self, two: Two<u8>) -> u8 {
        two.0
    }
}

pub mod inner {
    use super::timed;

    #[timed]
    pub fn run() {}

    #[timed]
    pub mod deeper {
        use super::super::Two;

        pub fn run() {}

        impl super::super::One {
            pub fn from_afar(&self) {}
        }

        impl super::super::Run for [Two<u8>; 2] {
            fn other(&self) {}
        }
    }
}

#[timed]
pub fn outer() {
    #[timed]
    fn run() {}

    mod inside {
        #[timed::timed]
        pub fn run() {}
    }

    struct Local;

    impl Local {
        #[timed]
        fn run(&self) {}
    }

    impl super::sites::Run for Local {
        #[timed]
        fn other(&self) {
            fn run() {
                timed::scope!("sites::scope in a function of a method");
            }
            run();
        }
    }

    run();
    inside::run();
    Local.run();
    Run::other(&Local);
    let closure = || {
        #[timed]
        fn run() {}
        run();
    };
    closure();
    let _ = [1].map(|n| {
        #[timed]
        fn run(_: u8) {}
        run(n);
    });
    const {
        #[timed]
        #[allow(dead_code)]
        fn run() {}
    }
}

macro_rules! made {
    ($name:ident) => {
        #[timed]
        pub fn $name() {
            #[timed]
            fn from_macro() {}
            from_macro();
        }
    };
}
made!(by_macro);
made!(by_macro_again);

#[timed]
pub fn r#type() {}

#[timed]
pub fn größe() {}

pub mod r#loop {
    #[timed::timed]
    pub fn run() {}
}

pub static LAZY: LazyLock<u8> = LazyLock::new(|| {
    #[timed]
    fn run() -> u8 {
        1
    }
    run()
});

pub const POINTER: fn() -> u8 = {
    #[timed]
    fn run() -> u8 {
        2
    }
    run
};

#[timed]
pub fn generic<T: Default + Debug, const N: usize>() -> [T; N] {
    #[timed]
    fn inner<T: Default>(_: usize) -> T {
        T::default()
    }
    std::array::from_fn(inner)
}

#[cfg(feature = "enabled")]
mod reported {
    use std::collections::BTreeMap;

    use super::*;

    const ROWS: &[(&str, u64)] = &[
        ("<&str as Run>::other", 1),
        ("<(_, _) as Run>::other", 2),
        ("<One as Add<Two<u8>>>::add", 1),
        ("<One as Iterator>::next", 1),
        ("<One as Run>::other", 1),
        ("<One as Run>::run", 1),
        ("<Three as Run>::other", 1),
        ("<Two as Run>::other", 1),
        ("<Two as Run>::run", 1),
        ("<[Two<u8>; 2] as Run>::other", 1),
        ("<[_] as Run>::other", 1),
        ("<dyn core::fmt::Debug as Run>::other", 1),
        ("<fn(u8) -> u8 as Run>::other", 1),
        ("<outer::Local as Run>::other", 1),
        ("LAZY::{{closure}}::run", 1),
        ("One::from_afar", 1),
        ("One::run", 1),
        ("POINTER::run", 1),
        ("Run::run", 1),
        ("Two::run", 2),
        ("Two<char>::run_char", 1),
        ("by_macro", 1),
        ("by_macro::from_macro", 1),
        ("by_macro_again", 1),
        ("by_macro_again::from_macro", 1),
        ("generic", 2),
        ("generic::inner", 5),
        ("größe", 1),
        ("inner::deeper::run", 1),
        ("inner::run", 1),
        ("loop::run", 1),
        ("outer", 1),
        ("outer::Local::run", 1),
        ("outer::inside::run", 1),
        ("outer::run", 1),
        ("outer::{{closure}}::run", 2),
        ("run", 1),
        ("sites::scope in a function of a method", 1),
        ("type", 1),
    ];

    /// All sites of this module that were called, without `attribute::sites::`, and how often.
    fn calls() -> BTreeMap<String, u64> {
        let mut calls = BTreeMap::new();
        for site in timed::snapshot().sites {
            if site.module.starts_with("attribute::sites") {
                assert!(site.file.ends_with("tests/attribute/sites.rs"), "{}", site.file);
                let name = site.name.replace("attribute::sites::", "");
                // Two closures in one function share a name; the report adds their places.
                *calls.entry(name).or_default() += site.calls;
            }
        }
        calls
    }

    #[test]
    fn every_function_has_a_row_of_its_own() {
        run();
        One.run();
        Two(1).run();
        Two("a").run();
        Two('b').run_char();
        <One as Run>::run();
        <Three as Run>::run();
        <Two<u8> as Run>::run();
        <[u8] as Run>::other(&[1]);
        <Two<char> as Run>::other(&Two('c'));
        Run::other(&"text");
        Run::other(&(1, 'a'));
        Run::other(&(u8::count_ones as fn(u8) -> u32 as usize, 2));
        let pointer: fn(u8) -> u8 = |n| n;
        Run::other(&pointer);
        <dyn Debug as Run>::other(&3);
        Run::other(&Three::Three);
        One.other();
        One.next();
        let _ = One + Two(1);
        inner::run();
        inner::deeper::run();
        One.from_afar();
        [Two(1), Two(2)].other();
        outer();
        by_macro();
        by_macro_again();
        r#type();
        größe();
        r#loop::run();
        assert_eq!((*LAZY, POINTER()), (1, 2));
        let _: ([u8; 2], [char; 3]) = (generic(), generic());
        let calls = calls();
        let rows: Vec<_> = calls.iter().map(|(name, calls)| (name.as_str(), *calls)).collect();
        assert_eq!(rows, ROWS);
    }
}
