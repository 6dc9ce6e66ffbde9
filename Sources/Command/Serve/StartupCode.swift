internal import Countersign
#if canImport(Glibc)
internal import Glibc
#endif

/// The code and constants of the program and of its libraries that only the start uses: two thirds of what a server
/// that has just started keeps in memory.
enum StartupCode {
    /// Releases them twice, a moment after the server listens: not at once, since that would delay the first answers,
    /// and again later, since the first keys are made and the first sweeps run by then.
    static func release(by clock: TimeSource) async {
        for delay in [Duration.milliseconds(100), .milliseconds(400)] {
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            release()
        }
    }

    #if canImport(Glibc) && _pointerBitWidth(_64)
    /// The function that `dl_iterate_phdr` calls for the program and for each library, while nothing is loaded or
    /// unloaded.
    private typealias Visit = @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> CInt
    private typealias VisitAll = @convention(c) (Visit, UnsafeMutableRawPointer?) -> CInt

    /// Drops the pages of all segments that are never written. Used pages are mapped again when they are needed next,
    /// mostly from the file cache, in a few microseconds for 64 KiB; pages of the start alone stay out.
    ///
    /// Elsewhere than on Linux with glibc it does nothing. Standard: dl_iterate_phdr(3), madvise(2), elf(5).
    static func release() {
        // Its header shows it only to programs in C that ask for GNU's functions.
        guard let function = dlsym(nil, "dl_iterate_phdr") else { return }
        _ = unsafeBitCast(function, to: VisitAll.self)(visit, nil)
    }

    private static let visit: Visit = { info, _, _ in
        guard let info else { return 0 }
        for segment in unwrittenSegments(of: info) {
            madvise(UnsafeMutableRawPointer(bitPattern: segment.lowerBound), segment.count, MADV_DONTNEED)
        }
        return 0
    }

    /// The whole pages of the segments that are never written, of the program or of a library.
    ///
    /// - Parameter info: A `dl_phdr_info`: the address that it is loaded at, the address of its name, the address of
    ///   its headers, and their number.
    private static func unwrittenSegments(of info: UnsafeRawPointer) -> [Range<UInt>] {
        guard let headers = info.load(fromByteOffset: 16, as: UnsafePointer<Elf64_Phdr>?.self) else { return [] }
        let base = info.load(as: UInt.self)
        let page = UInt(sysconf(CInt(_SC_PAGESIZE)))
        let count = Int(info.load(fromByteOffset: 24, as: UInt16.self))
        return UnsafeBufferPointer(start: headers, count: count).compactMap { header in
            guard header.p_type == PT_LOAD, header.p_flags & UInt32(PF_W) == 0 else { return nil }
            let start = base + UInt(header.p_vaddr)
            let first = (start + page - 1) / page * page
            let end = (start + UInt(header.p_memsz)) / page * page
            return first < end ? first..<end : nil
        }
    }
    #else
    static func release() {}
    #endif
}
