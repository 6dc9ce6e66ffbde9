import Foundation
import Testing

@testable import CountersignServer

@Suite("Every page")
struct PageMarkupTests {
    let pages: [String: String]

    init() throws {
        pages = try SamplePages.html(filledWith: "value")
    }

    @Test func `works under a policy that allows no script and no inline style`() {
        // One page has a script, which its policy names by its hash; those with passkeys, those with a delay, and those
        // that wait load one of this server.
        let passkeyScript = #/<script src="/assets/passkey\.js\?v=[0-9a-f]{16}" defer></script>/#
        let delayScript = #/<script src="/assets/delay\.js\?v=[0-9a-f]{16}"></script>/#
        let waitScript = #/<script src="/assets/wait\.js\?v=[0-9a-f]{16}" defer></script>/#
        let linkScript = #/<script src="/assets/link\.js\?v=[0-9a-f]{16}" defer></script>/#
        let timesScript = #/<script src="/assets/times\.js\?v=[0-9a-f]{16}" defer></script>/#
        let pushScript = #/<script src="/assets/push\.js\?v=[0-9a-f]{16}" defer></script>/#
        for (name, html) in pages {
            let html =
                name == "posted answer"
                ? html.replacing("<script>\(PostedAnswerView.script)</script>", with: "")
                : html.replacing(passkeyScript, with: "").replacing(delayScript, with: "")
                    .replacing(waitScript, with: "").replacing(linkScript, with: "").replacing(timesScript, with: "")
                    .replacing(pushScript, with: "")
            for tag in Markup(html).tags {
                #expect(tag.name != "script" && tag.name != "style", "\(name)")
                #expect(tag.attributes["style"] == nil, "\(name)")
                #expect(!tag.attributes.keys.contains { $0.hasPrefix("on") }, "\(name)")
                #expect(tag.attributes["href"]?.hasPrefix("javascript:") != true, "\(name)")
            }
        }
    }

    @Test func `sends every form by POST, with the token`() {
        for (name, html) in pages {
            // The answer to an app is the one form that goes elsewhere, and must not take our token there.
            guard name != "posted answer" else {
                #expect(!html.contains("form_token"))
                continue
            }
            for (form, inside) in Markup(html).forms {
                // A search changes nothing, and tells the token to no address.
                guard form.attributes["class"] != "search" else {
                    #expect(form.attributes["method"] == "get", "\(name)")
                    #expect(!inside.contains { $0.attributes["name"] == "form_token" }, "\(name)")
                    continue
                }
                #expect(form.attributes["method"] == "post", "\(name)")
                let tokens = inside.filter { $0.attributes["name"] == "form_token" }
                #expect(tokens.map { $0.attributes["value"] } == ["value"], "\(name)")
                #expect(tokens.allSatisfy { $0.attributes["type"] == "hidden" }, "\(name)")
                // Where approving is not enough, the form that approves has no button.
                guard form.attributes["class"] != "decision" || html.contains("value=\"approve\"") else { continue }
                #expect(inside.contains { $0.name == "button" && $0.attributes["type"] == "submit" }, "\(name)")
            }
        }
    }

    /// Enter in a field presses the first button of its form.
    @Test func `denies, removes and ends nothing when a person presses Enter in a field`() {
        var seen: Set<String> = []
        for (name, html) in pages {
            for (_, inside) in Markup(html).forms {
                let inputs = inside.filter { $0.name == "input" && $0.attributes["type"] != "hidden" }
                guard inputs.contains(where: { $0.attributes["type"] != "radio" }) else { continue }
                seen.formUnion(inputs.compactMap { $0.attributes["name"] })
                let first = inside.first { $0.name == "button" && $0.attributes["type"] == "submit" }
                #expect(first?.attributes["value"] != "deny", "\(name)")
                #expect(first?.attributes["class"]?.contains("stop") == false, "\(name)")
            }
        }
        let known: Set = ["number", "user_code", "code", "password", "app_name", "domain"]
        #expect(known.subtracting(seen).sorted() == [])
    }

    @Test func `has one first heading, skips no level, and says its title`() {
        for (name, html) in pages {
            let markup = Markup(html)
            let levels = markup.tags.filter { !$0.isEnd && ["h1", "h2", "h3"].contains($0.name) }.map(\.name)
            #expect(levels.first == "h1" && levels.filter { $0 == "h1" }.count == 1, "\(name)")
            #expect(!levels.contains("h3") || levels.contains("h2"), "\(name)")
            #expect(html.contains(" – Countersign</title>") && !html.contains("<title> –"), "\(name)")
        }
    }

    @Test func `has landmarks, a language, and lets people zoom`() {
        for (name, html) in pages {
            let markup = Markup(html)
            for landmark in ["header", "main", "footer"] { #expect(markup.all(landmark).count == 1, "\(name)") }
            #expect(markup.all("html").first?.attributes["lang"] == "en", "\(name)")
            let meta = markup.all("meta")
            let viewport = meta.first { $0.attributes["name"] == "viewport" }?.attributes["content"]
            #expect(viewport == "width=device-width, initial-scale=1", "\(name)")
            #expect(meta.contains { $0.attributes["name"] == "color-scheme" }, "\(name)")
        }
    }

    @Test func `labels every field, and never by a placeholder`() {
        for (name, html) in pages {
            let markup = Markup(html)
            let labelled = Set(markup.all("label").compactMap { $0.attributes["for"] })
            for input in markup.all("input") + markup.all("select") where input.attributes["type"] != "hidden" {
                #expect(labelled.contains(input.attributes["id"] ?? ""), "\(name)")
                #expect(input.attributes["placeholder"] == nil, "\(name)")
            }
        }
    }

    @Test func `uses each id once, and points only to ids that exist`() {
        for (name, html) in pages {
            let tags = Markup(html).tags
            let ids = tags.compactMap { $0.attributes["id"] }
            #expect(Set(ids).count == ids.count, "\(name)")
            for tag in tags {
                let pointers = ["aria-describedby", "aria-labelledby"].compactMap { tag.attributes[$0] }
                for id in pointers.flatMap({ $0.split(separator: " ") }) {
                    #expect(ids.contains(String(id)), "\(id) on \(name)")
                }
            }
        }
    }

    @Test func `closes what it opens`() {
        let void: Set<String> = ["!doctype", "meta", "link", "input"]
        let drawn: Set<String> = ["path", "rect", "circle"]
        for (name, html) in pages {
            var open: [String] = []
            for tag in Markup(html).tags where !void.contains(tag.name) && !drawn.contains(tag.name) {
                if !tag.isEnd {
                    open.append(tag.name)
                } else {
                    #expect(open.popLast() == tag.name, "\(name)")
                }
            }
            #expect(open.isEmpty, "\(name)")
        }
    }

    @Test func `leaves no template tag behind`() {
        for (name, html) in pages {
            #expect(!html.contains("{{") && !html.contains("}}"), "\(name)")
            #expect(!html.contains("Optional("), "\(name)")
        }
    }
}
