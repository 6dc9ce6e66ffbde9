import CountersignWire
import Testing

@testable import CountersignHome

@Suite("The forms of a page")
struct HTMLFormTests {
    @Test func `have fields and buttons, those outside of the form too`() throws {
        let page = HTMLForms(
            """
            <h1>a < b</h1><form class="x" method="post" action="/activate/decision">
            <input type="hidden" name="user_code" value="A&amp;B&#43;&#x3D;"><input id="n" name="number" type="text">
            <button type="submit" form="denial" name="decision" value="deny">No</button>
            <button name="decision" value="approve"></button></form>
            <form id="denial" action="/other"></form>
            """
        )

        let form = try #require(page.forms.first)
        #expect(form.action == "/activate/decision")
        #expect(form.hidden["user_code"] == "A&B+=")
        #expect(form.visible == ["number"])
        #expect(form.offers("approve") && !form.offers("deny"))
        #expect(page.forms.last?.offers("deny") == true)
    }

    @Test func `send the option that is selected`() {
        let page = HTMLForms(
            """
            <form action="/a"><select name="session"><option value="own">Own</option><option value="hour" selected>Hour\
            </option></select><button name="decision" value="approve"></button></form>
            """
        )

        #expect(page.forms.first?.hidden["session"] == "hour")
        #expect(page.forms.first?.visible == [])
    }

    @Test(arguments: [
        "", "<", "<form", "<form action", "<form action=\"", #"<input name="a" value="&">"#, #"<form ="">"#,
    ])
    func `are read from any text`(html: String) {
        #expect(HTMLForms(html).forms.count <= 1)
    }
}
