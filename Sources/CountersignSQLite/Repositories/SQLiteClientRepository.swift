internal import Countersign
internal import CountersignServer
internal import GRDB

/// The table `clients`.
struct SQLiteClientRepository: ClientRepository {
    let database: Database

    func insert(_ client: Client) throws {
        try database.insert(
            "INSERT INTO clients (id, document) VALUES (?, ?)",
            [client.id.rawValue, try documentText(client)]
        )
    }

    func find(_ id: ClientID) throws -> Client? {
        try database.first("SELECT document FROM clients WHERE id = ?", [id.rawValue]).map { try $0.document(0) }
    }

    func all() throws -> [Client] {
        try database.all("SELECT document FROM clients ORDER BY id").map { try $0.document(0) }
    }

    func remove(_ id: ClientID) throws -> Bool {
        try database.change("DELETE FROM clients WHERE id = ?", [id.rawValue]) > 0
    }
}
