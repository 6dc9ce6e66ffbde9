import Foundation

/// Reads QR codes from pictures, as a camera would.
enum QRCodePicture {
    /// The text of the QR code in a picture; `nil` when there is none.
    static func text(in picture: String) -> String? {
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        reader.arguments = ["zbarimg", "--quiet", "--raw", picture]
        let output = Pipe()
        reader.standardOutput = output
        reader.standardError = FileHandle.nullDevice
        guard (try? reader.run()) != nil else { return nil }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        reader.waitUntilExit()
        return reader.terminationStatus == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
