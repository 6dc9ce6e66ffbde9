/// One operation as `wrk` drives it.
struct Load {
    /// The target of an operation.
    enum Target {
        /// At least this part of the bare endpoint's rate, at 64 connections.
        case ofBare(Double)
        /// At least this many a second, at 64 connections.
        case rate(Double)
        case none
    }

    let name: String
    let path: String
    /// For SQLite.
    var target = Target.none
    /// For PostgreSQL with one node.
    var targetOnPostgreSQL = Target.none
    /// The maximum processor time of a request with SQLite at 64 connections, in microseconds; `nil` for no target.
    var mostCost: Double?
    /// The wanted speed, as a multiple of glewlwyd's.
    var overGlewlwyd: Double?
    /// Whether the right answer has a status of 400.
    var expectsRefusal = false
    /// The count of rows that it requests in turn, when a server answers differently once it has cached them all.
    var rows = 0
    /// The script for one run; the number tells runs apart where each needs tokens of its own.
    var script: (Int) throws -> String

    /// The same with other tokens: those of the runs after `count`.
    func withBatches(after count: Int) -> Load {
        var load = self
        load.script = { try script($0 == 0 ? 0 : $0 + count) }
        return load
    }
}

/// The parts that scripts are made of.
///
/// In each, `first` is the number of the row to begin at, and of `parts` threads this is number `part`, from 0; that is
/// known from `init` on, not while the script is read. A script that needs the answers keeps the first one of no use in
/// `refusal`, which is reported.
enum Script {
    static func get() -> String { "" }

    /// The same address every time, by a browser with this cookie.
    static func get(_ path: String, cookie: String) -> String {
        """
        wrk.path = "\(path)"
        wrk.headers["Cookie"] = "\(cookie)"
        """
    }

    /// A browser's way to a code, and the request that redeems it, in turn for each code that came.
    ///
    /// `form` is all of the token request but the code, which stands at its end.
    static func codes(
        _ address: String,
        of host: String,
        cookie: String,
        redeeming form: String,
        at path: String,
        authorization: String
    ) -> String {
        prelude(path, authorization) + """
            local ask = "GET \(address) HTTP/1.1\\r\\nHost: \(host)\\r\\nCookie: \(cookie)\\r\\n\\r\\n"
            local codes, first, last = {}, 1, 0
            request = function()
              local code = codes[first]
              if not code then return ask end
              codes[first] = nil
              first = first + 1
              return complete("\(form)" .. code)
            end
            response = function(status, headers, body)
              local place = headers["Location"] or headers["location"]
              local code = place and string.match(place, "[?&]code=([^&]+)")
              if code then
                last = last + 1
                codes[last] = code
              end
            end
            """
    }

    /// The same form every time.
    static func post(_ form: String, authorization: String? = nil) -> String {
        """
        wrk.method = "POST"
        wrk.body = "\(form)"
        wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
        \(authorization.map { "wrk.headers[\"Authorization\"] = \"\($0)\"" } ?? "")
        """
    }

    /// Forms that differ in one value: those of `values`, one after the other, again and again.
    ///
    /// `values` is an expression of Lua that makes the value for the number `n` from 1 to `count`.
    static func post(_ form: String, values: String, count: Int, authorization: String? = nil, path: String) -> String {
        prelude(path, authorization) + """
            local n, values = 0, {}
            init = function()
              n = first + part
              for n = 1, \(count) do values[n] = \(values) end
            end
            request = function()
              n = (n + parts) % \(count)
              return complete("\(form)" .. values[n + 1])
            end
            """
    }

    /// Forms with a random one of `count` values, made when they are needed.
    static func random(_ form: String, values: String, count: Int, authorization: String, path: String) -> String {
        prelude(path, authorization) + """
            init = function() math.randomseed(os.time() + part) end
            request = function()
              local n = math.random(1, \(count))
              return complete("\(form)" .. (\(values)))
            end
            """
    }

    /// Refreshes: every token that an answer brings is presented later; the oldest goes first.
    ///
    /// With a file of proofs, each request takes the next line of it.
    static func refresh(
        _ form: String,
        values: String,
        count: Int,
        authorization: String? = nil,
        proofs: String? = nil,
        path: String
    ) -> String {
        let proving = proofs.map { "local proofs = io.lines(\"\($0)\")\n" } ?? ""
        let body = "\"\(form)\" .. (token or \"none-left\")"
        let sent = proofs == nil ? "complete(\(body))" : "complete(\(body), \"DPoP: \" .. proofs() .. \"\\r\\n\")"
        return prelude(path, authorization) + proving + """
            local line, first, last = {}, 1, 0
            init = function()
              for n = 1 + part, \(count), parts do
                last = last + 1
                line[last] = \(values)
              end
            end
            request = function()
              local token = line[first]
              line[first] = nil
              first = first + 1
              return \(sent)
            end
            response = function(status, headers, body)
              local token = string.match(body, '"refresh_token"%s*:%s*"([^"]+)"')
              if token then
                last = last + 1
                line[last] = token
              else
                refusal = refusal or status .. " " .. body
              end
            end
            """
    }

    private static func prelude(_ path: String, _ authorization: String?) -> String {
        let credentials = authorization.map { "Authorization: \($0)\\r\\n" } ?? ""
        return """
            local head = "POST \(path) HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\(credentials)" ..
              "Content-Type: application/x-www-form-urlencoded\\r\\nContent-Length: "
            local function complete(body, field) return head .. #body .. "\\r\\n" .. (field or "") .. "\\r\\n" .. body end

            """
    }
}
