//! Builds again when a file is added to what the program carries inside.

fn main() {
    println!("cargo:rerun-if-changed=assets");
    println!("cargo:rerun-if-changed=maps");
}
