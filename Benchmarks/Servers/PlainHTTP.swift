internal import Foundation

/// The simplest client: one request for each connection, on a blocked thread. For preparation, not for load.
struct PlainHTTP {
    let port: Int

    struct Answer {
        let status: Int
        let head: String
        let body: String

        /// The value of a header, if it is there.
        func header(_ name: String) -> String? {
            let line = head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
            return line.map { String($0.drop { $0 != ":" }.dropFirst()).trimmingCharacters(in: .whitespaces) }
        }

        /// A member of the JSON object in the body.
        func member(_ name: String) -> Any? {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])?[name]
        }
    }

    func get(_ path: String, headers: [String: String] = [:]) throws -> Answer {
        try send("GET", path, headers, body: nil)
    }

    func post(_ path: String, form: String, headers: [String: String] = [:]) throws -> Answer {
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        return try send("POST", path, headers.merging(type) { $1 }, body: form)
    }

    func post(_ path: String, json: Any, headers: [String: String] = [:]) throws -> Answer {
        try send("POST", path, json: json, headers)
    }

    func put(_ path: String, json: Any, headers: [String: String] = [:]) throws -> Answer {
        try send("PUT", path, json: json, headers)
    }

    private func send(_ method: String, _ path: String, json: Any, _ headers: [String: String]) throws -> Answer {
        let body = try String(decoding: JSONSerialization.data(withJSONObject: json), as: UTF8.self)
        return try send(method, path, headers.merging(["Content-Type": "application/json"]) { $1 }, body: body)
    }

    func send(_ method: String, _ path: String, _ headers: [String: String], body: String?) throws -> Answer {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, connected == 0 else { throw BenchmarkFailure("cannot connect to port \(port)") }

        var text = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        let bytes = Array((text + "\r\n" + (body ?? "")).utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { throw BenchmarkFailure("port \(port) takes no request") }
            sent += count
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received += buffer.prefix(count)
        }
        let answer = String(decoding: received, as: UTF8.self)
        guard let end = answer.range(of: "\r\n\r\n"), let status = Int(answer.split(separator: " ")[1]) else {
            throw BenchmarkFailure("port \(port) answered nothing to \(method) \(path)")
        }
        return Answer(status: status, head: String(answer[..<end.lowerBound]), body: String(answer[end.upperBound...]))
    }
}
