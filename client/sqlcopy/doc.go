// Package sqlcopy keeps the mirrors of client.Copy in a database of the app, through database/sql: SQLite and
// PostgreSQL.
//
// The records are in tables of the app, and the app says how one is written, deleted and listed. The state of the copy
// is in a table of this package, and is replaced in the same transaction:
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
//	err := mirror.Migrate(ctx) // once, or create the table by what Schema returns
//	products := &client.Copy[client.Product]{List: api.Products.List(client.ProductFilter{}), Mirror: mirror}
//
// No statement of the app needs a rule about concurrency, not even a comparison of updated_at: the copy applies a step
// only if the state is the one that it was computed from. Statements of the app's own may read the tables at any time,
// and write other columns of them. Mirror.OnStep adds to the transaction of a step, such as the end of the delivery
// that it is made for.
//
// examples/catalogsync is a program around it: a store in a SQLite file, and the proof that kills cost nothing.
package sqlcopy
