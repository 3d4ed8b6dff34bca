//! MD5, for row ids that other MiniRAG stores would recognize. Not a security measure; content hashes of bundles are
//! SHA-256.

use md5::{Digest, Md5};

/// Hexadecimal MD5 of bytes.
pub fn md5_hex(bytes: &[u8]) -> String {
    let hash = Md5::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::md5_hex;

    #[test]
    fn the_suite_of_the_rfc() {
        for (text, hash) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            (
                "abcdefghijklmnopqrstuvwxyz",
                "c3fcd3d76192e4007dfb496cca67e13b",
            ),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a",
            ),
        ] {
            assert_eq!(md5_hex(text.as_bytes()), hash, "{text}");
        }
    }
}
