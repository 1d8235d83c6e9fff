//! Makes cargo rebuild the crate when a file is added to the embedded assets or maps.

fn main() {
    println!("cargo:rerun-if-changed=../../assets");
    println!("cargo:rerun-if-changed=../../maps");
}
