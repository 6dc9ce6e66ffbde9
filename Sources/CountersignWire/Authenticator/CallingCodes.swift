/// The countries of the world's telephone network, as far as a number that receives messages is concerned.
///
/// For each region: its code in ISO 3166, its calling code, the digits that people dial before a number within the
/// country, `-` for none, and how many digits a mobile number has without both.
///
/// Standard: ITU-T E.164; the figures are those of the public metadata of libphonenumber 9.0.43.
enum CallingCodes {
    static let table = """
        US 1 1 10; AG 1 1 10; AI 1 1 10; AS 1 1 10; BB 1 1 10; BM 1 1 10; BS 1 1 10; CA 1 1 10; DM 1 1 10
        DO 1 1 10; GD 1 1 10; GU 1 1 10; JM 1 1 10; KN 1 1 10; KY 1 1 10; LC 1 1 10; MP 1 1 10; MS 1 1 10
        PR 1 1 10; SX 1 1 10; TC 1 1 10; TT 1 1 10; VC 1 1 10; VG 1 1 10; VI 1 1 10; RU 7 8 10; KZ 7 8 10
        EG 20 0 10; ZA 27 0 5,6,7,8,9; GR 30 - 10; NL 31 0 9,11; BE 32 0 9; FR 33 0 9; ES 34 - 9; HU 36 06 9
        IT 39 - 9,10; VA 39 - 9,10; RO 40 0 9; CH 41 0 9; AT 43 0 7,8,9,10,11,12,13; GB 44 0 10; GG 44 0 10
        IM 44 0 10; JE 44 0 10; DK 45 - 8; SE 46 0 9; NO 47 - 8; SJ 47 - 8; PL 48 - 9; DE 49 0 10,11; PE 51 0 9
        MX 52 - 10; CU 53 0 8; AR 54 0 10,11; BR 55 0 10,11; CL 56 - 9; CO 57 0 10; VE 58 0 10; MY 60 0 9,10
        AU 61 0 9; CC 61 0 9; CX 61 0 9; ID 62 0 9,10,11,12; PH 63 0 10; NZ 64 0 8,9,10; SG 65 - 8; TH 66 0 9
        JP 81 0 10; KR 82 0 9,10; VN 84 0 9; CN 86 0 11; TR 90 0 10; IN 91 0 10; PK 92 0 10; AF 93 0 9
        LK 94 0 9; MM 95 0 7,8,9,10; IR 98 0 10; SS 211 0 9; MA 212 0 9; EH 212 0 9; DZ 213 0 9; TN 216 - 8
        LY 218 0 9; GM 220 - 7,9; SN 221 - 9; MR 222 - 8; ML 223 - 8; GN 224 - 9; CI 225 - 10; BF 226 - 8
        NE 227 - 8; TG 228 - 8; BJ 229 - 10; MU 230 - 8; LR 231 0 7,9; SL 232 0 8; GH 233 0 9; NG 234 0 10
        TD 235 - 8; CF 236 - 8; CM 237 - 9; CV 238 - 7; ST 239 - 7; GQ 240 - 9; GA 241 - 7,8; CG 242 - 9
        CD 243 0 7,9; AO 244 - 9; GW 245 - 9; IO 246 - 7; AC 247 - 5; SC 248 - 7; SD 249 0 9; RW 250 0 9
        ET 251 0 9; SO 252 0 7,8,9; DJ 253 - 8; KE 254 0 9; TZ 255 0 9; UG 256 0 9; BI 257 - 8; MZ 258 - 9
        ZM 260 0 9; MG 261 0 9; RE 262 0 9; YT 262 0 9; ZW 263 0 9; NA 264 0 9; MW 265 0 9; LS 266 - 8
        BW 267 - 8; SZ 268 - 8; KM 269 - 7; SH 290 - 5; TA 290 - 4; ER 291 0 7; AW 297 - 7; FO 298 - 6
        GL 299 - 6; GI 350 - 8; PT 351 - 9; LU 352 - 9; IE 353 0 9; IS 354 - 7,9; AL 355 0 9; MT 356 - 8
        CY 357 - 8; FI 358 0 6,7,8,9,10; AX 358 0 6,7,8,9,10; BG 359 0 8,9; LT 370 0 8; LV 371 - 8; EE 372 - 7,8
        MD 373 0 8; AM 374 0 8; BY 375 8 9; AD 376 - 6,9; MC 377 0 8,9; SM 378 - 8; UA 380 0 9; RS 381 0 8,9,10
        ME 382 0 8; XK 383 0 8; HR 385 0 8,9; SI 386 0 8; BA 387 0 8,9; MK 389 0 8; CZ 420 - 9; SK 421 0 9
        LI 423 0 7,9; FK 500 - 5; BZ 501 - 7; GT 502 - 8; SV 503 - 8; HN 504 - 8; NI 505 - 8; CR 506 - 8
        PA 507 - 7,8; PM 508 0 6,9; HT 509 - 8; GP 590 0 9; BL 590 0 9; MF 590 0 9; BO 591 0 8; GY 592 - 7
        EC 593 0 9; GF 594 0 9; PY 595 0 9; MQ 596 0 9; SR 597 - 7; UY 598 0 8; CW 599 - 7,8; BQ 599 - 7
        TL 670 - 8; NF 672 - 6; BN 673 - 7; NR 674 - 7; PG 675 - 8; TO 676 - 7; SB 677 - 5,7; VU 678 - 7
        FJ 679 - 7; PW 680 - 7; WF 681 - 6; CK 682 - 5; NU 683 - 4,7; WS 685 - 7,10; KI 686 0 8; NC 687 - 6
        TV 688 - 6,7; PF 689 - 8; TK 690 - 4,5,6,7; FM 691 - 7; MH 692 1 7; KP 850 0 10; HK 852 - 8; MO 853 - 8
        KH 855 0 8,9; LA 856 0 9,10; BD 880 0 10; TW 886 0 9; MV 960 - 7; LB 961 0 7,8; JO 962 0 9; SY 963 0 9
        IQ 964 0 10; KW 965 - 8; SA 966 0 9; YE 967 0 9; OM 968 - 8; PS 970 0 9; AE 971 0 9; IL 972 0 9
        BH 973 - 8; QA 974 - 8; BT 975 - 8; MN 976 0 8; NP 977 0 10; TJ 992 - 9; TM 993 8 8; AZ 994 0 9
        GE 995 0 9; KG 996 0 9; UZ 998 - 9
        """
}
