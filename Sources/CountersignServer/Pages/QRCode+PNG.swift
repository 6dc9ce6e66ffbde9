internal import FoundationEssentialsCompat

extension QRCode {
    /// The width of a square, in dots of the picture.
    private static let scale = 8
    /// The light border, in squares.
    private static let border = 4

    /// The code as an uncompressed picture of two colours, of a few kilobytes.
    ///
    /// Standard: ISO/IEC 15948 (PNG); RFC 1950, RFC 1951 §3.2.4 for its data.
    var png: [UInt8] {
        let width = (rows.count + 2 * Self.border) * Self.scale
        let light = [UInt8](repeating: 0xFF, count: (width + 7) / 8)
        let margin = Array(repeating: light, count: Self.border * Self.scale)
        let code = rows.flatMap { Array(repeating: Self.line(of: $0, width: width), count: Self.scale) }
        // Each line has a filter before it: none.
        var lines: [UInt8] = []
        for line in margin + code + margin {
            lines.append(0)
            lines += line
        }
        var header = Self.bytes(UInt32(width)) + Self.bytes(UInt32(width))
        header += [1, 0, 0, 0, 0]  // One bit of grey for each dot; no other compression, filter or interlacing.
        var picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        picture += Self.chunk("IHDR", header)
        picture += Self.chunk("IDAT", Self.stored(lines))
        picture += Self.chunk("IEND", [])
        return picture
    }

    /// A line of dots, light where its bit is set.
    private static func line(of row: [Bool], width: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xFF, count: (width + 7) / 8)
        for (square, isDark) in row.enumerated() where isDark {
            // A square of eight dots is one byte.
            bytes[square + border] = 0
        }
        return bytes
    }

    /// Data in stored blocks.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var rest = data[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            out.append(rest.isEmpty ? 1 : 0)
            for number in [length, ~length] { out += [UInt8(number & 0xFF), UInt8(number >> 8)] }
            out += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return out + bytes(high << 16 | low)
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        return bytes(UInt32(data.count)) + named + bytes(checksum(of: named))
    }

    /// The checksum of ISO/IEC 15948 annex D.
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
        return ~sum
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
