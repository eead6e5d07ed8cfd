// Package sqlcopy stores the records that a [client.Copy] keeps up to date in a database of the app, through
// database/sql. It supports SQLite and PostgreSQL.
//
// The records are in tables of the app, and the app provides the statements that write, delete and list them. The state
// of the copy is in a table of this package. A [Mirror] is for one store, and a [Table] for all stores:
//
//	mirror := &sqlcopy.Mirror[client.Product]{
//		DB:   db,
//		Name: "123/products",
//		Put: func(ctx context.Context, tx *sql.Tx, p *client.Product) error {
//			_, err := tx.ExecContext(ctx, `INSERT INTO product (id, name) VALUES ($1, $2)
//				ON CONFLICT (id) DO UPDATE SET name = excluded.name`, p.ID, p.Name.Get("es"))
//			return err
//		},
//		Delete:   "DELETE FROM product WHERE id = $1",
//		IDsQuery: "SELECT id FROM product WHERE id > $1 ORDER BY id LIMIT $2",
//	}
//	err := mirror.Migrate(ctx) // once, or create the table with the result of Schema
//	products := &client.Copy[client.Product]{List: v202503.Products(c).List(client.ProductFilter{}), Mirror: mirror}
//
// The statements of the app require no concurrency rules, such as a comparison of updated_at. Other statements of the
// app may read the tables at any time, and write other columns. [Mirror].OnStep adds statements to the transaction of a
// step, for example to end the delivery that caused it.
//
// # Guarantees
//
// Records and the state of a copy change in one transaction, so a killed process leaves both or none. A step is
// applied only if the stored state is the one from which it was computed.
//
// # See also
//
// docs/copies.md of package client describes copies. The program examples/catalogsync copies the catalog of a store
// into a SQLite file.
package sqlcopy
