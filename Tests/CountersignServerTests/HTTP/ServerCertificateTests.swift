import Countersign
import Foundation
import TestShell
import Testing

@testable import CountersignServer

@Suite("A certificate for TLS")
struct ServerCertificateTests {
    @Test func `says for which hosts it is, and until when`() throws {
        try CertificateFiles.with { files in
            try files.make("one", hosts: ["id.example.com", "*.id.example.com"])
            let certificate = try files.open("one")
            #expect(certificate.hostNames == ["id.example.com", "*.id.example.com"])
            let life = certificate.expires.timeIntervalSince(certificate.begins)
            #expect(life == 2 * 86_400)
        }
    }

    @Test func `is read again only when its files changed, or when somebody asks`() throws {
        try CertificateFiles.with { files in
            try files.make("one", hosts: ["one.example"])
            try files.make("two", hosts: ["two.example"])
            let certificate = try files.open("one")
            #expect(try certificate.reload() == false)
            #expect(try certificate.reload(isAsked: true))
            try files.replace("one", by: "two")
            #expect(try certificate.reload())
            #expect(certificate.hostNames == ["two.example"])
            #expect(try certificate.reload() == false)
        }
    }

    @Test func `stays when its successor is no good, and complains once`() throws {
        try CertificateFiles.with { files in
            try files.make("one", hosts: ["one.example"])
            try files.make("two", hosts: ["two.example"])
            let certificate = try files.open("one")
            try files.write("nonsense", to: "one.pem")
            let broken = #expect(throws: ServerCertificateError.self) { () throws in try certificate.reload() }
            #expect(broken?.code == .noCertificate)
            #expect(try certificate.reload() == false)
            #expect(certificate.hostNames == ["one.example"])
            try files.replace("one", by: "two")
            #expect(try certificate.reload())
            #expect(certificate.hostNames == ["two.example"])
        }
    }

    /// Renewals often write one file a moment before the other.
    @Test func `waits for the second file of a pair`() throws {
        try CertificateFiles.with { files in
            try files.make("one", hosts: ["one.example"])
            try files.make("two", hosts: ["two.example"])
            let certificate = try files.open("one")
            try files.write(try files.text("two.pem"), to: "one.pem")
            let halfway = #expect(throws: ServerCertificateError.self) { try certificate.reload() }
            #expect(halfway?.code == .keyOfAnother)
            try files.write(try files.text("two.key"), to: "one.key")
            #expect(try certificate.reload())
            #expect(certificate.hostNames == ["two.example"])
        }
    }

    @Test(arguments: [
        ("chmod 604 one.key", ServerCertificateError.Code.keyIsOpen), ("chmod 640 one.key", .keyIsOpen),
        ("cp two.key one.key", .keyOfAnother),
        ("rm one.pem", .unreadable), ("rm one.key", .unreadable), (": > one.pem", .noCertificate),
        (": > one.key", .noKey), ("openssl ec -aes128 -passout pass:x -in two.key -out one.key", .noKey),
        ("printf '%s' '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' > one.pem", .noCertificate),
    ])
    func `is refused in words that say what to do`(act: String, code: ServerCertificateError.Code) throws {
        try CertificateFiles.with { files in
            try files.make("one", hosts: ["one.example"])
            try files.make("two", hosts: ["two.example"])
            try files.run(act)
            let refusal = #expect(throws: ServerCertificateError.self) { try files.open("one") }
            #expect(refusal?.code == code)
            #expect(refusal?.description.contains(files.path(code == .keyOfAnother ? "one.key" : "one.")) == true)
        }
    }
}

#if os(Linux)
/// systemd gives a service its credentials like this: root owns them, and a list names the user of the service.
@Suite("A key with an access control list")
struct ListedKeyTests {
    @Test func `is used when the list names the user of the process alone`() throws {
        try CertificateFiles.with { files in
            try files.make("one", hosts: ["one.example"])
            _ = files.list(.user(geteuid()), with: "one.key")
            #expect(try files.open("one").hostNames == ["one.example"])
        }
    }

    @Test(arguments: [CertificateFiles.Reader.user(geteuid() + 1), .group(getegid())])
    func `is refused when the list names another user or a group`(reader: CertificateFiles.Reader) throws {
        try CertificateFiles.with { files in
            try files.make("one", hosts: ["one.example"])
            // File systems without such lists let nobody else read the key.
            let isListed = files.list(reader, with: "one.key")
            let refused = Result { try files.open("one") }.refusal
            #expect(refused == (isListed ? .keyIsOpen : nil))
        }
    }

    /// The mode shows the mask of the list, which stays the same.
    @Test func `is refused as soon as another list names another user`() throws {
        try CertificateFiles.with { files in
            try files.make("one", hosts: ["one.example"])
            _ = files.list(.user(geteuid()), with: "one.key")
            let certificate = try files.open("one")
            let isListed = files.list(.user(geteuid() + 1), with: "one.key")
            let refused = Result { () throws in try certificate.reload() }.refusal
            #expect(refused == (isListed ? .keyIsOpen : nil))
        }
    }
}

extension Result where Failure == any Error {
    /// Why a certificate was not opened, or not read again.
    fileprivate var refusal: ServerCertificateError.Code? {
        if case .failure(let error as ServerCertificateError) = self { error.code } else { nil }
    }
}

extension CertificateFiles {
    /// Somebody who may read a file besides its owner.
    enum Reader: Sendable {
        case user(UInt32), group(UInt32)
    }

    /// Gives a file an access control list that names one reader; `false` where the file system has no such lists.
    func list(_ reader: Reader, with file: String) -> Bool {
        func entry(_ tag: UInt8, _ rights: UInt8, _ id: UInt32 = .max) -> [UInt8] {
            [tag, 0, rights, 0] + (0..<4).map { UInt8(truncatingIfNeeded: id >> (8 * $0)) }
        }
        let (owner, group, mask, others) = (entry(0x01, 6), entry(0x04, 0), entry(0x10, 4), entry(0x20, 0))
        let entries =
            switch reader {
            case .user(let id): [owner, entry(0x02, 4, id), group, mask, others]
            case .group(let id): [owner, group, entry(0x08, 4, id), mask, others]
            }
        let list = Data([2, 0, 0, 0] + entries.flatMap(\.self))
        let key = FileAttributeKey(rawValue: "NSFileExtendedAttributes")
        let attributes: [FileAttributeKey: Any] = [key: ["system.posix_acl_access": list]]
        try? FileManager.default.setAttributes(attributes, ofItemAtPath: path(file))
        // The mode shows the mask.
        return FileStatus(following: path(file))?.permissions == 0o640
    }
}
#endif

/// Certificates and keys in a directory of their own, made by openssl.
struct CertificateFiles {
    let directory: URL

    static func with(_ test: (CertificateFiles) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-certificates-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try test(CertificateFiles(directory: directory))
    }

    func make(_ name: String, hosts: [String]) throws {
        let names = hosts.map { "DNS:\($0)" }.joined(separator: ",")
        try run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test \
            -addext 'subjectAltName=\(names)' -keyout \(name).key -out \(name).pem && chmod 600 \(name).key
            """
        )
    }

    func open(_ name: String) throws -> ServerCertificate {
        try ServerCertificate(certificatePath: path("\(name).pem"), keyPath: path("\(name).key"))
    }

    /// Puts the pair `other` in the place of `name`, each file at once, as programs that renew certificates do.
    func replace(_ name: String, by other: String) throws {
        try run("mv \(other).pem \(name).pem && mv \(other).key \(name).key")
    }

    func path(_ file: String) -> String { directory.path + "/" + file }

    func text(_ file: String) throws -> String { try String(contentsOfFile: path(file), encoding: .utf8) }

    func write(_ text: String, to file: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path(file)))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    func run(_ line: String) throws {
        try Shell.run("cd \(Shell.word(directory.path)) && { \(line); } 2> /dev/null")
    }
}
