package client

import (
	"context"
	"errors"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Metafield is a value that an app stores with a record of the store under a namespace and a key.
type Metafield struct {
	ID          ID     `json:"id"`
	Namespace   string `json:"namespace"`   // separates the fields of different apps
	Key         string `json:"key"`         // names the field within the namespace
	Description string `json:"description"` // for other apps and people
	Value       string `json:"value"`       // any text, JSON for example
	// OwnerResource and OwnerID identify the record that the metafield belongs to.
	OwnerResource MetafieldOwner `json:"owner_resource"`
	OwnerID       ID             `json:"owner_id"`
	// DeletedAt is only in the answer to Create, and is zero there.
	DeletedAt Time  `json:"deleted_at,omitzero"`
	CreatedAt Time  `json:"created_at"`
	UpdatedAt Time  `json:"updated_at"`
	Extra     Extra `json:",embed"`
}

// MetafieldOwner is a kind of record that has metafields.
type MetafieldOwner string

// The values of MetafieldOwner.
const (
	MetafieldOwnerProduct  MetafieldOwner = "Product"         // of products
	MetafieldOwnerVariant  MetafieldOwner = "Product_Variant" // of variants
	MetafieldOwnerCategory MetafieldOwner = "Category"        // of categories
	MetafieldOwnerPage     MetafieldOwner = "Page"            // of pages
	MetafieldOwnerOrder    MetafieldOwner = "Order"           // of orders
	MetafieldOwnerCustomer MetafieldOwner = "Customer"        // of customers
)

// Known reports whether the contract names the value.
func (o MetafieldOwner) Known() bool { return o.path() != "" }

// path returns the name of the kind in paths, empty for an unknown kind.
func (o MetafieldOwner) path() string {
	switch o {
	case MetafieldOwnerProduct:
		return "products"
	case MetafieldOwnerVariant:
		return "product_variants"
	case MetafieldOwnerCategory:
		return "categories"
	case MetafieldOwnerPage:
		return "pages"
	case MetafieldOwnerOrder:
		return "orders"
	case MetafieldOwnerCustomer:
		return "customers"
	}
	return ""
}

// MetafieldInput is the body of Create and Update. Create requires all fields except Description. Update accepts only
// Value and Description, and changes the ones that are present.
type MetafieldInput struct {
	// Namespace and Key must start with a letter, followed by a-z, A-Z, 0-9 and _.
	Namespace string `json:"namespace,omitzero"`
	Key       string `json:"key,omitzero"`
	// Value must not be empty.
	Value       string      `json:"value,omitzero"`
	Description Opt[string] `json:"description,omitzero"`
	// OwnerResource and OwnerID must identify an existing record.
	OwnerResource MetafieldOwner `json:"owner_resource,omitzero"`
	OwnerID       ID             `json:"owner_id,omitzero"`
}

func (in MetafieldInput) check() error {
	switch {
	case !metafieldName(in.Namespace):
		return engine.Invalid("namespace", in.Namespace, "a letter, then only a-z, A-Z, 0-9 or _")
	case !metafieldName(in.Key):
		return engine.Invalid("key", in.Key, "a letter, then only a-z, A-Z, 0-9 or _")
	case in.Value == "":
		return engine.Invalid("value", in.Value, "a value")
	case !in.OwnerResource.Known():
		return engine.Invalid("owner_resource", in.OwnerResource, "Product, Product_Variant, Category, Page, Order or Customer")
	case in.OwnerID <= 0:
		return engine.Invalid("owner_id", in.OwnerID, "the id of a record that exists")
	}
	return nil
}

func (in MetafieldInput) checkUpdate() error {
	switch {
	case in.Namespace != "":
		return engine.Invalid("namespace", in.Namespace, "empty, because only value and description can be changed")
	case in.Key != "":
		return engine.Invalid("key", in.Key, "empty, because only value and description can be changed")
	case in.OwnerResource != "":
		return engine.Invalid("owner_resource", in.OwnerResource, "empty, because only value and description can be changed")
	case in.OwnerID != 0:
		return engine.Invalid("owner_id", in.OwnerID, "0, because only value and description can be changed")
	case in.Value == "" && in.Description.IsZero():
		return engine.Invalid("value", in.Value, "a value or a description")
	}
	return nil
}

// metafieldName reports whether s is valid as a namespace or a key.
func metafieldName(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != ""
}

// MetafieldFilter selects metafields of one kind of record. The zero filter
// selects all.
type MetafieldFilter struct {
	Paging
	Window
	// OwnerID selects the metafields of one record.
	OwnerID   ID
	Namespace string // exactly this namespace
	Key       string // exactly this key
}

func (f MetafieldFilter) query() *query {
	return newQuery().paging(f.Paging).window(f.Window).id("owner_id", f.OwnerID).text("namespace", f.Namespace).text("key", f.Key)
}

// MetafieldService reads and writes metafields. It requires the scopes of the records that the metafields belong to. It
// is in all versions.
type MetafieldService engine.Service

// ListFor selects metafields of a kind of record.
//
//api:endpoint GET /metafields/{owner_resource}
func (s *MetafieldService) ListFor(owner MetafieldOwner, f MetafieldFilter) List[Metafield] {
	q := f.query()
	if !owner.Known() {
		q.fail(engine.Invalid("owner_resource", owner, "Product, Product_Variant, Category, Page, Order or Customer"))
	}
	return listOf[Metafield](s, q, engine.ListSpec{Path: "/metafields/{owner_resource}", Args: []any{owner.path()}})
}

// Get returns a metafield.
//
//api:endpoint GET /metafields/{id}
func (s *MetafieldService) Get(ctx context.Context, id ID) (*Metafield, error) {
	return engine.Get[Metafield](ctx, s, "/metafields/{id}", nil, id)
}

// Create adds a metafield and returns it. CreateOrGet does the same, but creates no duplicate.
//
//api:endpoint POST /metafields
func (s *MetafieldService) Create(ctx context.Context, in MetafieldInput) (*Metafield, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[Metafield](ctx, s, http.MethodPost, "/metafields", in)
}

// CreateOrGet returns the metafield that the record has under namespace and key, whatever its value. If there is none,
// it creates one; see ProductService.CreateOrGet. If made is false, in.Differences(m) returns the members that differ.
// Set also writes the value of in to an existing metafield.
func (s *MetafieldService) CreateOrGet(ctx context.Context, in MetafieldInput) (m *Metafield, made bool, err error) {
	if err := in.check(); err != nil {
		return nil, false, err
	}
	existing := s.ListFor(in.OwnerResource, MetafieldFilter{OwnerID: in.OwnerID, Namespace: in.Namespace, Key: in.Key})
	return creation[Metafield]{
		find:   first(existing, in.names),
		create: func(ctx context.Context) (*Metafield, error) { return s.Create(ctx, in) },
	}.run(ctx)
}

// Set writes the value under namespace and key of the record and returns the metafield. It updates an existing
// metafield or creates one. An absent Description is left unchanged. It sends one request if the value is there
// already, two if the value differs, and three if there is no metafield.
//
// The contract does not say that the platform rejects a second metafield with the same key. Set therefore reads the
// metafields again after a create. If several programs created one at the same time, the metafield with the lowest id
// stays, and each program deletes its own. If their values differ, one of them wins.
func (s *MetafieldService) Set(ctx context.Context, in MetafieldInput) (*Metafield, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		m, err := s.oldest(ctx, in)
		if m == nil && err == nil {
			m, err = s.createAlone(ctx, in)
		}
		if err != nil || in.Differences(m) == nil {
			return m, err
		}
		m, err = s.Update(ctx, m.ID, MetafieldInput{Value: in.Value, Description: in.Description})
		if !errors.Is(err, ErrNotFound) || attempt == mostSets {
			return m, err
		}
	}
}

// mostSets limits how often Set retries after another program deleted the metafield that Set was about to update.
const mostSets = 3

// createAlone creates a metafield, and deletes it if another was created before it. It returns the remaining metafield.
func (s *MetafieldService) createAlone(ctx context.Context, in MetafieldInput) (*Metafield, error) {
	m, made, err := creation[Metafield]{
		find:   func(ctx context.Context) (*Metafield, error) { return s.oldest(ctx, in) },
		create: func(ctx context.Context) (*Metafield, error) { return s.Create(ctx, in) },
	}.make(ctx)
	if err != nil || !made {
		return m, err
	}
	first, err := s.oldest(ctx, in)
	if err != nil || first == nil || first.ID >= m.ID { // reads may be late
		return m, err
	}
	if err := s.Delete(ctx, m.ID); err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	return first, nil
}

// oldest returns the metafield with the lowest id that the record has under namespace and key, nil if it has none.
func (s *MetafieldService) oldest(ctx context.Context, in MetafieldInput) (oldest *Metafield, err error) {
	for m, err := range s.ListFor(in.OwnerResource, MetafieldFilter{OwnerID: in.OwnerID, Namespace: in.Namespace, Key: in.Key}).All(ctx) {
		if err != nil {
			return nil, err
		}
		if in.names(m) && (oldest == nil || m.ID < oldest.ID) {
			oldest = m
		}
	}
	if oldest != nil && oldest.ID == 0 {
		return nil, errNoID
	}
	return oldest, nil
}

// names reports whether a metafield has the owner, namespace and key of the input.
func (in MetafieldInput) names(m *Metafield) bool {
	return m.Namespace == in.Namespace && m.Key == in.Key && m.OwnerID == in.OwnerID
}

// Differences returns "description" and "value", the wire names of Description and Value, where m has a different text.
// It returns nil if m has the texts of in. Members that are absent from in are not compared.
func (in MetafieldInput) Differences(m *Metafield) (names []string) {
	if !in.Description.IsZero() && m.Description != in.Description.Or("") {
		names = append(names, "description")
	}
	if in.Value != "" && m.Value != in.Value {
		names = append(names, "value")
	}
	return names
}

// Update changes the value and the description that are present in in.
//
//api:endpoint PUT /metafields/{id}
func (s *MetafieldService) Update(ctx context.Context, id ID, in MetafieldInput) (*Metafield, error) {
	if err := in.checkUpdate(); err != nil {
		return nil, err
	}
	return engine.Send[Metafield](ctx, s, http.MethodPut, "/metafields/{id}", in, id)
}

// Delete removes a metafield.
//
//api:endpoint DELETE /metafields/{id}
func (s *MetafieldService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/metafields/{id}", id)
}
