//! Counts the primes below 200,000 in two ways, and lets the report say which is faster.

use timed::timed;

#[timed]
fn is_prime(n: usize) -> bool {
    n > 1 && (2..=n.isqrt()).all(|d| !n.is_multiple_of(d))
}

#[timed]
fn by_division(limit: usize) -> usize {
    (0..limit).filter(|&n| is_prime(n)).count()
}

#[timed]
fn by_sieve(limit: usize) -> usize {
    let mut composite = vec![false; limit];
    for d in 2..=limit.isqrt() {
        (d * d..limit).step_by(d).for_each(|n| composite[n] = true);
    }
    composite.iter().skip(2).filter(|&&c| !c).count()
}

fn main() {
    println!("{} primes by division", by_division(200_000));
    println!("{} primes by sieve", by_sieve(200_000));
}
