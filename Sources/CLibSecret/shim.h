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

// The arguments of org.freedesktop.Notifications.Notify. Actions are pairs of key and title, and end with NULL.
static inline GVariant *countersign_notification(
    const gchar *app, const gchar *title, const gchar *body, const gchar *const *actions, gint32 milliseconds) {
    GVariantBuilder hints;
    g_variant_builder_init(&hints, G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&hints, "{sv}", "urgency", g_variant_new_byte(2));
    return g_variant_new("(susss^asa{sv}i)", app, (guint32)0, "", title, body, actions, &hints, milliseconds);
}

// The arguments of a method that takes one number.
static inline GVariant *countersign_bus_number(guint32 number) { return g_variant_new("(u)", number); }

// Lets a cancelled wait of this context return.
static inline gboolean countersign_bus_woken(GCancellable *cancellable, gpointer data) {
    (void)cancellable;
    (void)data;
    return G_SOURCE_REMOVE;
}
static inline void countersign_bus_wake(GMainContext *context, GCancellable *cancellable) {
    GSource *source = g_cancellable_source_new(cancellable);
    g_source_set_callback(source, G_SOURCE_FUNC(countersign_bus_woken), NULL, NULL);
    g_source_attach(source, context);
    g_source_unref(source);
}
