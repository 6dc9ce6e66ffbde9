package import Foundation

/// A PNG of the QR code on a page, as a screenshot of it would be.
///
/// Standard: PNG (Third Edition) §5, with blocks that are not compressed (RFC 1951 §3.2.4).
package struct PictureOfCode: Sendable {
    /// The width of a square of the code, in points.
    private static let scale = 6

    /// The file.
    package let png: Data

    /// Draws the code.
    ///
    /// - Parameter page: A page or a picture of the server: SVG with runs of dark squares.
    package init?(on page: String) {
        let runs = page.matches(of: /M(\d+) (\d+)h(\d+)v1h-\d+z/)
        // Pages have other pictures before it.
        guard let first = runs.first,
            let size = page[..<first.range.lowerBound].matches(of: #/viewBox="0 0 (\d+) /#).last.flatMap({ Int($0.1) })
        else { return nil }
        var rows = Array(repeating: Array(repeating: UInt8.max, count: size * Self.scale), count: size * Self.scale)
        for run in runs {
            guard let x = Int(run.1), let y = Int(run.2), let length = Int(run.3), max(x + length, y + 1) <= size
            else { return nil }
            for row in y * Self.scale..<(y + 1) * Self.scale {
                for column in x * Self.scale..<(x + length) * Self.scale { rows[row][column] = 0 }
            }
        }
        png = Self.png(of: rows)
    }

    /// Rows of grey points as a file.
    private static func png(of rows: [[UInt8]]) -> Data {
        let side = UInt32(rows.count)
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Eight bits of grey, no interlacing.
        file += chunk("IHDR", bytes(side) + bytes(side) + [8, 0, 0, 0, 0])
        file += chunk("IDAT", stored(rows.flatMap { [0] + $0 }))
        file += chunk("IEND", [])
        return Data(file)
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + content
        return bytes(UInt32(content.count)) + checked + bytes(cyclicCheck(of: checked))
    }

    /// The bytes as a stream of blocks that are not compressed.
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = content[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        } while !rest.isEmpty
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in content {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + bytes(b << 16 | a)
    }

    private static func cyclicCheck(of content: [UInt8]) -> UInt32 {
        var check = UInt32.max
        for byte in content {
            check ^= UInt32(byte)
            for _ in 0..<8 { check = check >> 1 ^ (check & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~check
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
