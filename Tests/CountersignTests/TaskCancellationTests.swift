import Testing

@testable import Countersign

@Suite("A wait without an end")
struct TaskCancellationTests {
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func `ends when its task is cancelled, before or while it waits`(isEarly: Bool) async {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
            beginning.finish()
            await Task.untilCancelled()
            return Task.isCancelled
        }
        for await _ in begun {}
        if !isEarly { task.cancel() }
        #expect(await task.value)
    }
}
