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
            let broken = #expect(throws: CertificateUnusable.self) { () throws in try certificate.reload() }
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
            let halfway = #expect(throws: CertificateUnusable.self) { try certificate.reload() }
            #expect(halfway?.code == .keyOfAnother)
            try files.write(try files.text("two.key"), to: "one.key")
            #expect(try certificate.reload())
            #expect(certificate.hostNames == ["two.example"])
        }
    }

    @Test(arguments: [
        ("chmod 604 one.key", CertificateUnusable.Code.keyIsOpen), ("chmod 640 one.key", .keyIsOpen),
        ("cp two.key one.key", .keyOfAnother),
        ("rm one.pem", .unreadable), ("rm one.key", .unreadable), (": > one.pem", .noCertificate),
        (": > one.key", .noKey), ("openssl ec -aes128 -passout pass:x -in two.key -out one.key", .noKey),
        ("printf '%s' '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' > one.pem", .noCertificate),
    ])
    func `is refused in words that say what to do`(act: String, code: CertificateUnusable.Code) throws {
        try CertificateFiles.with { files in
            try files.make("one", hosts: ["one.example"])
            try files.make("two", hosts: ["two.example"])
            try files.run(act)
            let refusal = #expect(throws: CertificateUnusable.self) { try files.open("one") }
            #expect(refusal?.code == code)
            #expect(refusal?.description.contains(files.path(code == .keyOfAnother ? "one.key" : "one.")) == true)
        }
    }
}

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
