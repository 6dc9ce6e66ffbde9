#include <libsecret/secret.h>
// libsecret stands on GIO, by which the desktop's accounts are asked, too.
#include <gio/gio.h>

// The functions of libsecret that take a list of attributes end in "...", which Swift cannot call.

static inline const SecretSchema *countersign_secret_schema(void) {
    static const SecretSchema schema = {
        "countersign.SealingKey",
        SECRET_SCHEMA_NONE,
        { { "store", SECRET_SCHEMA_ATTRIBUTE_STRING }, { NULL, 0 } },
    };
    return &schema;
}

// The secret of a store, to be freed by secret_password_free; NULL when there is none, or with an error.
static inline gchar *countersign_secret_find(const gchar *store, GError **error) {
    return secret_password_lookup_sync(countersign_secret_schema(), NULL, error, "store", store, NULL);
}

// Keeps the secret of a store in the collection that is unlocked when the person logs in.
static inline gboolean countersign_secret_keep(
    const gchar *store, const gchar *label, const gchar *secret, GError **error) {
    return secret_password_store_sync(
        countersign_secret_schema(), SECRET_COLLECTION_DEFAULT, label, secret, NULL, error, "store", store, NULL);
}
