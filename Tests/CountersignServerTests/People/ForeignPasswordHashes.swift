/// Hashes of the password `correct horse battery` by other implementations: Passlib 1.7.4, argon2-cffi, `hashlib` and
/// `crypt` of Python 3.11, in the forms of Django, Keycloak and ASP.NET Core Identity.
enum ForeignPasswordHashes {
    static let password = "correct horse battery"

    static let all: [String] = [
        #"$2b$05$RJ800r7C1eduFO0iTaLlGeBnZIWWm6QKxqt1nipL8DXBY4gUg7Y2a"#,
        #"$2a$05$n2W.FevmH5OjdIMLST1oNeiPH/LHNO8NLI95BRAZWywvPzbqGJQ.."#,
        #"$2y$05$wRXvU6JOVWKSehFKbgcrfOkwWy4NUDIZNEw.pIq9gHTHG32dH9Q2i"#,
        #"bcrypt$$2b$05$RJ800r7C1eduFO0iTaLlGeBnZIWWm6QKxqt1nipL8DXBY4gUg7Y2a"#,
        #"$6$tNJtn5SEwMndlnqS$QdZfY/mBF6N7mGw/c1ju8QGIcOkbQ1To.SbeWiJpQgl7wuwrylH92WJq3d0BiaJP2BIgjl8AXW6"#
            + #"0AaQLL1Wyd/"#,
        #"$6$rounds=1000$Rgc75hjxo8fZofUr$THt.4YC.bhqF9mK2RYFf7Dk4E2eufQGzfzzjlvIwfycNkoNn5TF/jPoK9yELaPb"#
            + #"wfLP2jOB.xltUSZBe3fNns0"#,
        #"$7$86..../....abcdefgh0123$U0q.k8TLN35.6iwHUKCo8KPdesy1/uAJPO10P0XsWW7"#,
        #"$7$26..../....ab+/0123.Zyx+9==$uY0FZ3CyBurVfbs0UKnK8LnQu1K/DZSge4FeuZvA/gB"#,
        #"$6$rounds=1000$a+b=c,~'#$ghxrPs1DbmCj3CLVSP8CQqUVYmiECPOgCHNY8H.isFlBfNERMVAX6Lm2LV8gFPaP7p8oWv.vV"#
            + #"EWhXSfopaZJj1"#,
        #"$scrypt$ln=4,r=8,p=2$LGXsXQsBgBBi7F1r7X1vbQ$H0GB4gTumaqnOP15E+jjEWLmNibH7WejbcyzIrerdms"#,
        #"$scrypt$ln=4,r=4,p=3$AAECAwQFBgcICQoLDA0ODw$irKhoCfqIlpUT+xSUGllIrb6TJBSmym5dlg11gygIpAzMXPikZi"#
            + #"NkLZ29pgPnk/3Wa+IEJPNWs3a4Gid4ni0LA"#,
        #"pbkdf2_sha256$1000$seasalt$DrdiWD40lyBuydnjvZiDrdQMx1S1mOA9O0QYex0R6ww="#,
        #"pbkdf2_sha1$1000$seasalt$LPTbYn9/9ALjztx0Dtq5V+DLYLg="#,
        #"argon2$argon2id$v=19$m=64,t=2,p=2$AAECAwQFBgcICQoLDA0ODw$x3xxGLeOqDHxNpzULIenly6pmlHqMbkygIu3I/FZMcM"#,
        #"$argon2id$v=19$m=64,t=2,p=2$AAECAwQFBgcICQoLDA0ODw$x3xxGLeOqDHxNpzULIenly6pmlHqMbkygIu3I/FZMcM"#,
        #"$pbkdf2-sha512$1000$EyIEYMwZ45xzzvmfc45xTg$Kpw/PKCHQSYLYCXwfnaMDn9IfAQqYlZoMNSLuzb7bfACecD3VEL7"#
            + #"N5dUJo6R3uG8z8iZMl9HaJ5sC757Temslg"#,
        #"{"type":"password","secretData":"{\"value\":\"AhaeZ02AwPxykuhhDI8XvhQN8GKvmqM+qF6qvs/98I3oPrOaf"#
            + #"EIqFGOq0+8aVYIT/+xVcPChXj+A8gpxtbBrFQ==\",\"salt\":\"AAECAwQFBgcICQoLDA0ODw==\",\"additionalPar"#
            + #"ameters\":{}}","credentialData":"{\"hashIterations\":1000,\"algorithm\":\"pbkdf2-sha256\",\"add"#
            + #"itionalParameters\":{}}"}"#,
        #"{"type":"password","secretData":"{\"value\":\"ToxFUi5y3fprZRW/V6CupR2uIDYfuy5rlsF9Z4E648lE68lw5"#
            + #"lzmucru/HdPvmBJDSLroVh1Q2xCvjqd8NI/6Q==\",\"salt\":\"AAECAwQFBgcICQoLDA0ODw==\",\"additionalPar"#
            + #"ameters\":{}}","credentialData":"{\"hashIterations\":1000,\"algorithm\":\"pbkdf2-sha512\",\"add"#
            + #"itionalParameters\":{}}"}"#,
        #"{"secretData":{"value":"OIvK7KFgt+BQwbHNmoZN5V3N0vL1budKAXr9BUYRBNI=","salt":"AAECAwQFBgcICQoLD"#
            + #"A0ODw=="},"credentialData":{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"ha"#
            + #"shLength":["32"],"memory":["64"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}}"#,
        #"{"type":"password","hashedSaltedValue":"AhaeZ02AwPxykuhhDI8XvhQN8GKvmqM+qF6qvs/98I3oPrOafEIqFGO"#
            + #"q0+8aVYIT/+xVcPChXj+A8gpxtbBrFQ==","salt":"AAECAwQFBgcICQoLDA0ODw==","hashIterations":1000,"alg"#
            + #"orithm":"pbkdf2-sha256"}"#,
        #"AQAAAAEAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg8CFp5nTYDA/HKS6GEMjxe+FA3wYq+aoz6oXqq+z/3wjQ=="#,
        #"AQAAAAIAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg9OjEVSLnLd+mtlFb9XoK6lHa4gNh+7LmuWwX1ngTrjyQ=="#,
        #"AAABAgMEBQYHCAkKCwwNDg/Kv5tkqQSdO0Z/d/XxWNczkIjFP2C3aR/Oyg84EdRL9A=="#,
    ]

    /// A bcrypt hash of the password `blåbärsöl`.
    static let ofLetters = "$2b$04$L16teg0QnRSAgljDW92A2.jpyjS0/JeiEBWVYQO470GMtvn7xwWay"
}
