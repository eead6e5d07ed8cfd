package res

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func metafieldOps() []api.Op {
	const note = "scope of the owner entity"
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	lacking := func(kind string) api.ErrCase {
		return api.ErrCase{Status: 403, Text: "Missing a required scope: " + kind}
	}
	return []api.Op{
		{ID: "metafields.list", Method: "GET", Path: "/metafields/{owner_resource}", ScopeNote: note,
			Query: api.Recurring("owner_id", "namespace", "key"), Paging: api.Paging{EmptyOK: true},
			Errors: append(missing, lacking("read_products")), Handler: api.Collection(findMetafields, showMetafield)},
		{ID: "metafields.get", Method: "GET", Path: "/metafields/{id}", ScopeNote: note, Digits: true,
			Errors: append(missing, lacking("read_products")), Handler: getMetafield},
		{ID: "metafields.create", Method: "POST", Path: "/metafields", ScopeNote: note, Success: 201, Handler: createMetafield,
			Errors: []api.ErrCase{
				lacking("write_products"),
				{Status: 422, Text: "namespace: " + body.Required("namespace")},
				{Status: 422, Text: "namespace: " + body.WrongFormat("namespace")},
				{Status: 422, Text: "key: " + body.Required("key")},
				{Status: 422, Text: "key: " + body.WrongFormat("key")},
				{Status: 422, Text: "value: " + body.Required("value")},
				{Status: 422, Text: "owner_resource: " + body.Required("owner resource")},
				{Status: 422, Text: "owner_resource: " + body.NotSelectable("owner resource")},
				{Status: 422, Text: "owner_id: " + body.Required("owner id")},
				{Status: 422, Text: "owner_id: " + body.NotSelectable("owner id")},
			}},
		{ID: "metafields.update", Method: "PUT", Path: "/metafields/{id}", ScopeNote: note, Handler: updateMetafield,
			Errors: append(missing, lacking("write_products"),
				api.ErrCase{Status: 422, Text: "value: " + body.Required("value")})},
		{ID: "metafields.delete", Method: "DELETE", Path: "/metafields/{id}", ScopeNote: note, NoBody: true,
			Errors: append(missing, lacking("write_products")), Handler: deleteMetafield},
	}
}

// body.Required("value") is assumed, as the other texts about metafields are.

// metafieldOwner is a type of entity that metafields belong to.
type metafieldOwner struct {
	// name is its name in owner_resource, list that in the path of the list.
	name, list, scope string
	exists            func(tx *world.Tx, id int64) bool
}

// metafieldOwners are the types in the order of the contract.
func metafieldOwners() []metafieldOwner {
	return []metafieldOwner{
		{"Product", "products", "products", func(tx *world.Tx, id int64) bool { return tx.Products.Has(id) }},
		{"Product_Variant", "product_variants", "products", func(tx *world.Tx, id int64) bool { return tx.Variants.Has(id) }},
		{"Category", "categories", "products", func(tx *world.Tx, id int64) bool { return tx.Categories.Has(id) }},
		{"Page", "pages", "content", func(tx *world.Tx, id int64) bool { return tx.Pages.Has(id) }},
		{"Order", "orders", "orders", func(tx *world.Tx, id int64) bool { return tx.Orders.Has(id) }},
		{"Customer", "customers", "customers", func(tx *world.Tx, id int64) bool { return tx.Customers.Has(id) }},
	}
}

// ownerOf finds the type of owner for which is holds.
func ownerOf(is func(o metafieldOwner) bool) (metafieldOwner, bool) {
	all := metafieldOwners()
	i := slices.IndexFunc(all, is)
	if i < 0 {
		return metafieldOwner{}, false
	}
	return all[i], true
}

type metafieldJSON struct {
	ID            int64   `json:"id"`
	Namespace     string  `json:"namespace"`
	Key           string  `json:"key"`
	Value         string  `json:"value"`
	Description   *string `json:"description"`
	OwnerResource string  `json:"owner_resource"`
	OwnerID       int64   `json:"owner_id"`
	CreatedAt     string  `json:"created_at"`
	UpdatedAt     string  `json:"updated_at"`
}

func showMetafield(_ *world.Tx, _ *api.In, m world.Metafield) any { return metafieldOnWire(m) }

func metafieldOnWire(m world.Metafield) metafieldJSON {
	return metafieldJSON{
		ID:            m.ID,
		Namespace:     m.Namespace,
		Key:           m.Key,
		Value:         m.Value,
		Description:   api.TextOrNil(m.Description),
		OwnerResource: m.Owner,
		OwnerID:       m.OwnerID,
		CreatedAt:     api.Stamp(m.CreatedAt),
		UpdatedAt:     api.Stamp(m.UpdatedAt),
	}
}

// findMetafields lists those of every app. One whose owner is gone is gone with it.
func findMetafields(tx *world.Tx, in *api.In) ([]world.Metafield, error) {
	o, ok := ownerOf(func(o metafieldOwner) bool { return o.list == in.Var("owner_resource") })
	if !ok {
		return nil, api.NotFound("")
	}
	if err := in.Need("read_" + o.scope); err != nil {
		return nil, err
	}
	found := tx.Metafields.Where("type", o.name)
	owner, single := in.Int("owner_id")
	if single {
		found = tx.Metafields.Where("owner", world.OwnedBy(o.name, owner))
	}
	var out []world.Metafield
	for _, m := range found {
		if in.Selects(m.ID, m.CreatedAt, m.UpdatedAt) && o.exists(tx, m.OwnerID) &&
			(!in.Has("namespace") || m.Namespace == in.Text("namespace")) && (!in.Has("key") || m.Key == in.Text("key")) {
			out = append(out, m)
		}
	}
	return out, nil
}

func getMetafield(tx *world.Tx, in *api.In) (any, error) {
	m, err := metafield(tx, in, "read_")
	if err != nil {
		return nil, err
	}
	return metafieldOnWire(m), nil
}

// metafield is that of the path, for an app that has the permission for its owner.
func metafield(tx *world.Tx, in *api.In, permission string) (world.Metafield, error) {
	m, ok := tx.Metafields.Get(in.ID("id"))
	o, _ := ownerOf(func(o metafieldOwner) bool { return o.name == m.Owner })
	if !ok || !o.exists(tx, m.OwnerID) {
		return m, api.NotFound("")
	}
	return m, in.Need(permission + o.scope)
}

// createdMetafield is the answer to a create: its times have neither T nor zone,
// and only it has deleted_at.
type createdMetafield struct {
	metafieldJSON
	DeletedAt any `json:"deleted_at"`
}

var metafieldName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*$`)

// createMetafield does not look whether the owner has one with the same namespace
// and key: nothing says that it may not.
func createMetafield(tx *world.Tx, in *api.In) (any, error) {
	var b struct {
		Namespace     string      `json:"namespace"`
		Key           string      `json:"key"`
		Value         string      `json:"value"`
		Description   string      `json:"description"`
		OwnerResource string      `json:"owner_resource"`
		OwnerID       body.Scalar `json:"owner_id"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	wrong := &body.Problems{}
	for field, text := range map[string]string{"namespace": b.Namespace, "key": b.Key} {
		if wrong.Require(field, text != "") && !metafieldName.MatchString(text) {
			wrong.Add(field, body.WrongFormat(field))
		}
	}
	wrong.Require("value", b.Value != "")
	o, known := ownerOf(func(o metafieldOwner) bool { return o.name == b.OwnerResource })
	id, _ := b.OwnerID.Int()
	if wrong.Require("owner_resource", b.OwnerResource != "") && wrong.Select("owner_resource", known) {
		if err := in.Need("write_" + o.scope); err != nil {
			return nil, err
		}
	}
	if wrong.Require("owner_id", b.OwnerID.Text != "") && known {
		wrong.Select("owner_id", o.exists(tx, id))
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	m := world.Metafield{
		ID:          tx.NewID(),
		Namespace:   b.Namespace,
		Key:         b.Key,
		Description: b.Description,
		Value:       b.Value,
		Owner:       o.name,
		OwnerID:     id,
		CreatedAt:   tx.Now(),
		UpdatedAt:   tx.Now(),
	}
	out := createdMetafield{metafieldJSON: metafieldOnWire(m)}
	out.CreatedAt = m.CreatedAt.UTC().Format("2006-01-02 15:04:05")
	out.UpdatedAt = out.CreatedAt
	return out, tx.Metafields.Put(m.ID, m)
}

// updateMetafield changes the value and the description, nothing else.
func updateMetafield(tx *world.Tx, in *api.In) (any, error) {
	before, err := metafield(tx, in, "write_")
	if err != nil {
		return nil, err
	}
	var b struct {
		Value       body.Opt[string] `json:"value"`
		Description body.Opt[string] `json:"description"`

		// Members of an answer that may be sent back and change nothing.
		Namespace     json.RawMessage `json:"namespace"`
		Key           json.RawMessage `json:"key"`
		OwnerResource json.RawMessage `json:"owner_resource"`
		OwnerID       json.RawMessage `json:"owner_id"`
		DeletedAt     json.RawMessage `json:"deleted_at"`
		body.ReadOnly
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	m := before
	m.Value, m.Description = b.Value.Or(m.Value), b.Description.Or(m.Description)
	if m.Value == "" {
		return nil, body.Missing("value")
	}
	if m == before {
		return metafieldOnWire(m), nil
	}
	m.UpdatedAt = tx.Now()
	return metafieldOnWire(m), tx.Metafields.Put(m.ID, m)
}

func deleteMetafield(tx *world.Tx, in *api.In) (any, error) {
	m, err := metafield(tx, in, "write_")
	if err != nil {
		return nil, err
	}
	tx.Metafields.Delete(m.ID)
	return api.Empty{}, nil
}
