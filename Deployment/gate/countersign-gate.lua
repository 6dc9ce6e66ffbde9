-- For HAProxy 2.6 and later: asks the gate about a request, and hands the person to the site. haproxy.cfg beside it shows
-- its use. The gate's file has "original-request": "x-forwarded".

local passed = {
    ["remote-user"] = true,
    ["remote-groups"] = true,
    ["remote-email"] = true,
    ["remote-name"] = true,
    ["x-countersign-assertion"] = true,
}

-- The fields of the client that the gate reads.
local asked = {
    ["accept"] = true,
    ["authorization"] = true,
    ["cookie"] = true,
    ["origin"] = true,
    ["referer"] = true,
    ["sec-fetch-mode"] = true,
    ["sec-websocket-key"] = true,
    ["sec-websocket-version"] = true,
    ["upgrade"] = true,
    ["x-http-method"] = true,
    ["x-http-method-override"] = true,
    ["x-method-override"] = true,
    ["x-original-url"] = true,
    ["x-rewrite-url"] = true,
}

-- The fields of the gate's refusals that the client gets.
local told = { "cache-control", "content-type", "location", "retry-after", "www-authenticate" }

local function values(list)
    local all = {}
    for _, value in pairs(list or {}) do all[#all + 1] = value end
    return all
end

-- A field's name as servers read it that take all marks in names alike.
local function plain(name) return (name:lower():gsub("[^%w]", "-")) end

-- Only the variable lets a request pass: an error of this function leaves it unset.
core.register_action("countersign_gate", { "http-req" }, function(txn, address)
    local client = txn.http:req_get_headers()
    -- A proxy behind this one would take off what Connection names: the gate's own fields, too.
    for _, options in ipairs(values(client["connection"])) do
        if options:lower():find("remote") or options:lower():find("countersign") then return end
    end
    local target = txn.sf:pathq()
    local headers = {
        ["x-forwarded-method"] = { txn.sf:method() },
        ["x-forwarded-proto"] = { txn.sf:ssl_fc() == "1" and "https" or "http" },
        ["x-forwarded-host"] = values(client["host"]),
        ["x-forwarded-uri"] = { target },
    }
    for name, list in pairs(client) do
        if asked[plain(name)] then headers[name] = values(list) end
    end
    local answer = core.httpclient():get({ url = "http://" .. address .. "/check", headers = headers, timeout = 6000 })
    if not answer or answer.status ~= 200 then
        local status = answer and answer.status or 503
        if status < 300 then status = 503 end
        local reply = txn:reply({ status = status })
        for _, name in ipairs(told) do
            for _, value in ipairs(values(answer and answer.headers and answer.headers[name])) do
                reply:add_header(name, value)
            end
        end
        if answer and answer.body then reply:set_body(answer.body) end
        txn:done(reply)
        return
    end
    -- The site gets the path that the gate decided about: it may find another one in http://name?@name/path.
    txn.http:req_set_uri(target)
    -- The client's own fields.
    for name in pairs(client) do
        if passed[plain(name)] then txn.http:req_del_header(name) end
    end
    for name in pairs(passed) do
        local value = values(answer.headers[name])[1]
        if value and value ~= "" then txn.http:req_set_header(name, value) end
    end
    txn:set_var("txn.countersign_gate", "pass")
end, 1)
