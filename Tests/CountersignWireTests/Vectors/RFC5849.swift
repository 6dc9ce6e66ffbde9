import Countersign
import CountersignWire

/// Example values of RFC 5849 (OAuth 1.0).
enum RFC5849 {
    /// §1.2.
    static let client = ClientCredentials(
        client: ClientID("dpf43f3p2l4k3l03"), secret: OAuth1Secret(revealing: "kd94hf93k423kf44"))
    static let temporary = TokenCredentials(
        token: OAuth1Token("hh5s93j4hdidpola"), secret: OAuth1Secret(revealing: "hdhd0244k9j7ao03"))
    static let token = TokenCredentials(
        token: OAuth1Token("nnch734d00sl2jdk"), secret: OAuth1Secret(revealing: "pfkkdhi9sl3r4s00"))
    static let initiateSignature = "74KNZJeDHnMBp0EMJ9ZHt/XKycU="
    static let tokenSignature = "gKgrFCywp7rO0OXSjdot/IHF7IU="
    static let photo = "http://photos.example.net/photos?file=vacation.jpg&size=original"
    static let photoSignature = "MdpQcU8iPSUjWoN/UDMsK2sui9I="

    /// The request of §3.4.1.1.
    static let address = "http://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b"
    static let body = "c2&a3=2+q"
    static let header = """
        OAuth realm="Example", oauth_consumer_key="9djdj82h48djs9d2", oauth_token="kkk9d7dh3k39sjv7", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201", oauth_nonce="7d8f3e4a", \
        oauth_signature="bYT5CMsGcbgUdFHObYMEfcx6bsw%3D"
        """
    static let baseString = """
        POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D\
        %26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1\
        %26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7
        """
    /// Its parameters as §3.4.1.3.2 sorts and joins them.
    static let normalized = """
        a2=r%20b&a3=2%20q&a3=a&b5=%3D%253D&c%40=&c2=&oauth_consumer_key=9djdj82h48djs9d2&oauth_nonce=7d8f3e4a\
        &oauth_signature_method=HMAC-SHA1&oauth_timestamp=137131201&oauth_token=kkk9d7dh3k39sjv7
        """

    /// The header of §2.1, whose client has the secret `ja893SD9`.
    static let plaintextHeader = """
        OAuth realm="Example",
           oauth_consumer_key="jd83jd92dhsh93js",
           oauth_signature_method="PLAINTEXT",
           oauth_callback="http%3A%2F%2Fclient.example.net%2Fcb%3Fx%3D1",
           oauth_signature="ja893SD9%26"
        """.replacing("\n  ", with: " ")
    /// The answers of §2.1 and §2.3.
    static let temporaryAnswer =
        "oauth_token=hdk48Djdsa&oauth_token_secret=xyz4992k83j47x0b&oauth_callback_confirmed=true"
    static let tokenAnswer = "oauth_token=j49ddk933skd9dks&oauth_token_secret=ll399dj47dskfjdk"
    /// The header of §3.5.1.
    static let printedHeader = """
        OAuth realm="Example", oauth_consumer_key="0685bd9184jfhq22", oauth_token="ad180jjd733klru7", \
        oauth_signature_method="HMAC-SHA1", oauth_signature="wOJIO9A2W5mFwDgiDvZbTSMK%2FPY%3D", \
        oauth_timestamp="137131200", oauth_nonce="4572616e48616d6d65724c61686176", oauth_version="1.0"
        """
}

/// Values that X and Twitter have published, and what others computed from them.
enum TwitterExamples {
    /// "Creating a signature", with the address of three times: `/1/`, `/1.1/`, and `api.x.com`.
    static let client = ClientCredentials(
        client: ClientID("xvz1evFS4wEEPTGEFPHBog"),
        secret: OAuth1Secret(revealing: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw")
    )
    static let token = TokenCredentials(
        token: OAuth1Token("370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb"),
        secret: OAuth1Secret(revealing: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE")
    )
    static let signatures = [
        ("https://api.twitter.com/1/statuses/update.json", "tnnArxj06cWHq44gCs1OSKk/jLY="),
        ("https://api.twitter.com/1.1/statuses/update.json", "hCtSmYh+iHYCEqBWrE7C7hYmtUk="),
        ("https://api.x.com/1.1/statuses/update.json", "Ls93hJiZbQ3akF3HF3x1Bz8/zU4="),
    ]

    /// The first step of reverse authentication, with the key that Twitter used in its demonstration.
    static let reverseClient = ClientCredentials(
        client: ClientID("JP3PyvG67rXRsnayOJOcQ"),
        secret: OAuth1Secret(revealing: "ydC2yUbFaScbSlykO0PmrMjXFeLraSi3Q2HfTOlGxQM")
    )
    static let reverseNonce = "1B7D865D-9E15-4ADD-8165-EF90D7A7D3D2"
    static let reverseBase = """
        POST&https%3A%2F%2Fapi.twitter.com%2Foauth%2Frequest_token&oauth_consumer_key%3DJP3PyvG67rXRsnayOJOcQ\
        %26oauth_nonce%3D1B7D865D-9E15-4ADD-8165-EF90D7A7D3D2%26oauth_signature_method%3DHMAC-SHA1\
        %26oauth_timestamp%3D1322697052%26oauth_version%3D1.0%26x_auth_mode%3Dreverse_auth
        """
    static let reverseSignature = "03EyxBdr6bwBAx8M0Qq0R0F8CKY="
}

/// The example of RSA-SHA1 that the community of OAuth Core 1.0 published on wiki.oauth.net ("Test Cases"): its key has
/// 1,024 bits.
enum OAuthCoreRSA {
    static let address = "http://photos.example.net/photos?file=vacaction.jpg&size=original"
    static let client = ClientCredentials(
        client: ClientID("dpf43f3p2l4k3l03"), secret: OAuth1Secret(revealing: ""))
    static let timestamp = 1_196_666_512
    static let nonce = "13917289812797014437"
    static let baseString = """
        GET&http%3A%2F%2Fphotos.example.net%2Fphotos&file%3Dvacaction.jpg%26oauth_consumer_key%3Ddpf43f3p2l4k3l03\
        %26oauth_nonce%3D13917289812797014437%26oauth_signature_method%3DRSA-SHA1%26oauth_timestamp%3D1196666512\
        %26oauth_version%3D1.0%26size%3Doriginal
        """
    static let signature = """
        jvTp/wX1TYtByB1m+Pbyo0lnCOLIsyGCH7wke8AUs3BpnwZJtAuEJkvQL2/9n4s5wUmUl4aCI4BwpraNx4RtEXMe5qg5T1LVTGliMRpKasKsW//e\
        +RinhejgCuzoH26dyF8iY2ZZ/5D1ilgeijhV/vBka5twt399mXwaYdCwFYE=
        """
    static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBALRiMLAh9iimur8V
        A7qVvdqxevEuUkW4K+2KdMXmnQbG9Aa7k7eBjK1S+0LYmVjPKlJGNXHDGuy5Fw/d
        7rjVJ0BLB+ubPK8iA/Tw3hLQgXMRRGRXXCn8ikfuQfjUS1uZSatdLB81mydBETlJ
        hI6GH4twrbDJCR2Bwy/XWXgqgGRzAgMBAAECgYBYWVtleUzavkbrPjy0T5FMou8H
        X9u2AC2ry8vD/l7cqedtwMPp9k7TubgNFo+NGvKsl2ynyprOZR1xjQ7WgrgVB+mm
        uScOM/5HVceFuGRDhYTCObE+y1kxRloNYXnx3ei1zbeYLPCHdhxRYW7T0qcynNmw
        rn05/KO2RLjgQNalsQJBANeA3Q4Nugqy4QBUCEC09SqylT2K9FrrItqL2QKc9v0Z
        zO2uwllCbg0dwpVuYPYXYvikNHHg+aCWF+VXsb9rpPsCQQDWR9TT4ORdzoj+Nccn
        qkMsDmzt0EfNaAOwHOmVJ2RVBspPcxt5iN4HI7HNeG6U5YsFBb+/GZbgfBT3kpNG
        WPTpAkBI+gFhjfJvRw38n3g/+UeAkwMI2TJQS4n8+hid0uus3/zOjDySH3XHCUno
        cn1xOJAyZODBo47E+67R4jV1/gzbAkEAklJaspRPXP877NssM5nAZMU0/O/NGCZ+
        3jPgDUno6WbJn5cqm8MqWhW1xGkImgRk+fkDBquiq4gPiT898jusgQJAd5Zrr6Q8
        AO/0isr/3aa6O6NLQxISLKcPDk2NOccAfS/xOtfOz4sJYM3+Bs4Io9+dZGSDCA54
        Lw03eHTNQghS0A==
        -----END PRIVATE KEY-----
        """
}

/// Values for the methods that RFC 5849 has no example of, over the request for the photo: computed with Python's
/// `cryptography` and `hmac`.
enum OAuth1Computed {
    static let hmacSHA256 = "HtMwoX2zenlFjgGg/SNEoKEQmL7CzxYFEKzs7er044Y="
    static let rsaSHA1 = """
        Rfm8iE1168B5/1kWzJnOZsVfcVRLNvb9SwR1CfDtRoknhrLwctIz6s4y3b0sGZYCgIHujI76IhaUkIaCZX9LLUchuaXYtwfcnwvcPYPemi3QJlsM\
        r9QjOLXN0WNCmE5LiGRAmKN2zos7BM8Jk76Z8rz10MkK0vR+W8HD5arfnwTYBsLeN4Vud6ejhe7PQn/1pYRPlqTQwii5EFiepupwy5sKEhIc77Xk\
        nORhbzLgcVrfeOiivFgOqpe78TrbxxzcXMJ2li5lUzFv3I/AeF4VEGXiMzGWJJ+hBclkhbUZgJ6EoPSQauy2fvkOANTK+X4FpmR9QS+4twvQ/zUd\
        wqsL/w==
        """
    static let rsaSHA256 = """
        APIry6bQSqDPZUWsuJsuvsOZ5leC8h9VJ7v2lrsK29KOqB3DnltQTt3vVX7zrBmgUwSa/XMaXAl+RCg7GHr0ccUagB/8D5Cz1fzfsdeBrNRsu8cT\
        LhwodSMeDv/uKKxSAGeDA1fTsyKCmD3sXdUFfs/WP3T5OVV/uWWmUW3mMikNlkrq51arCNxrmNvuuU0DULdnkkr7cpgCtk+cyE0fYPiI5rdYjOD/\
        3HF0MGL9LbrriyffeQ9eXO8Yy/LkOfT3LtLSqvDZT3HOJLEPKKlcHOHBU+1BHDqzsW5IaxeQ9+j/8if4sqVU9yMwk9Ost0aRBO2wMb1oD21+Q7Wh\
        Ik/+1g==
        """
    static let modulus = """
        zJL8ezVPMnQ2MZMgjuIlqkyKW3RhLXC7SmSwdELNzCMWAu5Qwy5kahBjJUlURz_eimR-RbZPJc4ezxDd06jRvhluzc_WK3VpYoyd5z-LFp3VUGjA\
        Lj9MgBzxZkp5KDkHssDcSLkoo-JX2AEWwTGFuAmGJ3IbTJmMJCFuJmLxqZ8-LADxGhfFNWvpki0LhFQ0ARtHclbyqLuJjfrA8B6Wa8dx8ak3JHfp\
        Z2d2p2nHTuGvz-w0mat4Ur_b0Atc-HUE_lLN4vqOVyVHxMOf-n4_AYQJTpHVummcajMFhdKJxb0DJAIpoJJnDsjElT17Tt-JQ9qioVVQaCQTHsH0\
        tQbiKQ
        """
    static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDMkvx7NU8ydDYx
        kyCO4iWqTIpbdGEtcLtKZLB0Qs3MIxYC7lDDLmRqEGMlSVRHP96KZH5Ftk8lzh7P
        EN3TqNG+GW7Nz9YrdWlijJ3nP4sWndVQaMAuP0yAHPFmSnkoOQeywNxIuSij4lfY
        ARbBMYW4CYYnchtMmYwkIW4mYvGpnz4sAPEaF8U1a+mSLQuEVDQBG0dyVvKou4mN
        +sDwHpZrx3HxqTckd+lnZ3anacdO4a/P7DSZq3hSv9vQC1z4dQT+Us3i+o5XJUfE
        w5/6fj8BhAlOkdW6aZxqMwWF0onFvQMkAimgkmcOyMSVPXtO34lD2qKhVVBoJBMe
        wfS1BuIpAgMBAAECggEAEXdDLdRsAedrcRQZ+tj9VOrarTA508KvhYx53D3lNYE8
        BzKy8SxsJPoSh5kZJEl5sIsf6h0Z6M+4+v4k/PCJkmy4HxjtiiGoxmHcYWVKyhAz
        qX0oBfV1jJfsAaBoyQcFdzzWvIbCciuISx2HWdCRQBiKvEzBCUCFdy2Q1Uor+R/u
        OOzHRaBwN7w3B6Xv1cFZQrrgil8w7UNIZUtuIUOw5+xYW04GfCSTE1roAKyVImUc
        NqJ2XLvBHc4mQwFnv3Gipu4UsQvTKQdHIQUR8GXcogSpi9Fmn2/RA+DkGUAh3M7G
        hNodBbJg6sc3zdsjWLP6q62saiaBjmVmCi01Au66mQKBgQD2uM30Kf+cJYpXO+PL
        WMRbSmr0JfdtTbZQyGf+9LRKnUyzPB6Nq6YdEfD5Q/QcVIBdmAxlqgYUN5HRYsF9
        pUMbP5qXbBdDQsHYLRq6ZtaME+dvTeOQzPT2MARxEYyda3ugLF9cUW4/Zj2UUBPO
        MoMnLIwCwGCfAS6Z5hXt/0H0IwKBgQDURGzHkm/rr1LhbxnIhsTAN5zeRHxJGBcc
        gDh4A7B493JnvA0wIPzHuzeQWWXYp714HOkQ020+lC7M2jHNeSL+TsaQ2aDhv8HF
        KpOvTune6r8OzUXPw1flaPnIXIhGOnGMhw5bPeeclEEDM14lHIODz5zTjnfFlV6A
        SWQMj1lfQwKBgQCaT9AQ7MvAwAIcuYqqPqThbFQkzDJLHRXwxMe2wRqaqHO2jt2V
        QkytVfFgFk5yAbAf2d+3Hnaa4n7DdX8LtPeZ7VglaSfLm89eBCf5eiSqjDBuf0rb
        4DU+XZ4Jki5er0EtV1N1jEDmSm4te0BH8XPyZnxTpDtKeBTLkQsaRlLb/QKBgCk7
        /ZGrPbif/06xoWWV4ISiiQOYdDhSyLKNqeqOdOqazwuduUYfMluuX7XX1/QFacX6
        f7/4AmHEsW6z+Da9EHIsZWBgFmOkN4UQp03H26ClI2ZBtA0PGnUDNnqYlxRlaAdv
        ePd6iBKfrh1sDh7Rci7Z1tI1+8hTIt9y4k+aTTc3AoGADWZ98Kt+Ww/JOWWU7M/G
        esi9OS+vGbOh1KufWM8FikraW49F+BOK8VyBfwwO51mWOLxHLqLuzmf1cFkPlpTq
        qOO4f8fvsoTbCMj20AGocjq1icH5wSGbWABCQ6TNJ7de24W2DRph6aKcbrhH3ceI
        ZZCuYn8SVLxPxygoXgGDAXk=
        -----END PRIVATE KEY-----
        """
}
