package client_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func TestCustomFieldsAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	category := must[*client.Category](t)(v1.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Mugs"}}))
	product := must[*client.Product](t)(v1.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("Mug")}))
	customer := must[*client.Customer](t)(v1.Customers(c).Create(ctx, client.CustomerInput{Name: "Ana", Email: "ana@example.com"}))
	for owner, test := range map[client.FieldOwner]struct {
		fields *client.CustomFieldService
		id     client.ID
	}{
		client.FieldOwnerProduct: {v1.ProductCustomFields(c), product.ID}, client.FieldOwnerVariant: {v1.VariantCustomFields(c), product.Variants[0].ID},
		client.FieldOwnerCustomer: {v1.CustomerCustomFields(c), customer.ID}, client.FieldOwnerCategory: {v1.CategoryCustomFields(c), category.ID},
		client.FieldOwnerOrder: {v1.OrderCustomFields(c), 0},
	} {
		t.Run(string(owner), func(t *testing.T) {
			fabric := must[*client.CustomField](t)(test.fields.Create(ctx, client.CustomFieldInput{Name: "Fabric", Description: "about it", ValueType: client.ValueTypeTextList, ReadOnly: true, Values: []string{"cotton", "wool", "wool"}}))
			if fabric.OwnerResource != owner || !fabric.ReadOnly || len(fabric.Refused()) != 1 || fabric.Values[0].Created == nil || len(fabric.Extra) > 0 {
				t.Errorf("created %+v, want one value refused", fabric)
			}
			weight := must[*client.CustomField](t)(test.fields.Create(ctx, client.CustomFieldInput{Name: "Weight", ValueType: client.ValueTypeNumeric}))
			got := must[*client.CustomField](t)(test.fields.Get(ctx, fabric.ID))
			if len(got.Values) != 2 || got.Values[0].Value != "cotton" || got.Values[0].Created != nil || got.Source != client.FieldSourceApp || got.CreatedAt.IsZero() {
				t.Errorf("got %+v", got)
			}
			added := must[*client.CustomField](t)(test.fields.AddValues(ctx, fabric.ID, "silk", "cotton"))
			if refused := added.Refused(); len(refused) != 1 || refused[0].Value != "cotton" {
				t.Errorf("refused %+v, want cotton", refused)
			}
			// The comment on Created said that wool, which was there, is not created.
			if i := slices.IndexFunc(added.Values, func(v client.FieldValue) bool { return v.Value == "wool" }); i < 0 || !*added.Values[i].Created {
				t.Errorf("added to %+v, want wool as created", added.Values)
			}
			if all := must[[]client.CustomField](t)(test.fields.List().Collect(ctx)); len(all) != 2 {
				t.Errorf("%d fields, want 2", len(all))
			}
			if test.id != 0 {
				associate(t, test.fields, test.id, fabric, weight)
			}
			if err := test.fields.Delete(ctx, fabric.ID); err != nil {
				t.Error(err)
			}
			if _, err := test.fields.Get(ctx, fabric.ID); !errors.Is(err, client.ErrNotFound) {
				t.Errorf("deleted: got %v, want ErrNotFound", err)
			}
		})
	}
	allRead(t, srv)
}

// associate gives a record values for two fields and takes one away again.
func associate(t *testing.T, fields *client.CustomFieldService, id client.ID, fabric, weight *client.CustomField) {
	ctx := t.Context()
	err := fields.SetValues(ctx, id, client.CustomFieldSetting{ID: fabric.ID, Value: client.Set("wool")}, client.CustomFieldSetting{ID: weight.ID, Value: client.Set("42")})
	if err != nil {
		t.Fatal(err)
	}
	values := must[[]client.CustomFieldValue](t)(fields.Values(id).Collect(ctx))
	if len(values) != 2 || values[0].OwnerResource != fabric.OwnerResource || values[0].Source != client.FieldSourceApp || len(values[0].Extra) > 0 {
		t.Errorf("values %+v, want 2", values)
	}
	owners := must[*client.CustomFieldOwners](t)(fields.Owners(ctx, fabric.ID))
	if owners.ID != fabric.ID || len(owners.Owners) != 1 || owners.Owners[0].ID != id || owners.Owners[0].Value != "wool" || len(owners.Extra) > 0 {
		t.Errorf("owners %+v, want %d with wool", owners, id)
	}
	if err := fields.SetValues(ctx, id, client.CustomFieldSetting{ID: fabric.ID, Value: client.Null[string]()}, client.CustomFieldSetting{ID: weight.ID, Value: client.Set("43")}); err != nil {
		t.Fatal(err)
	}
	if values := must[[]client.CustomFieldValue](t)(fields.Values(id).Collect(ctx)); len(values) != 1 || values[0].ID != weight.ID || values[0].Value != "43" {
		t.Errorf("values %+v, want the weight alone", values)
	}
}

func TestMetafieldsAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	mug := must[*client.Product](t)(v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("Mug")}))
	if none := must[[]client.Metafield](t)(v202503.Metafields(c).ListFor(client.MetafieldOwnerProduct, client.MetafieldFilter{OwnerID: mug.ID}).Collect(ctx)); len(none) > 0 {
		t.Errorf("got %+v, want none", none)
	}
	m := must[*client.Metafield](t)(v202503.Metafields(c).Create(ctx, client.MetafieldInput{
		Namespace: "app_data", Key: "size_guide", Value: "shoes", Description: client.Set("about it"), OwnerResource: client.MetafieldOwnerVariant, OwnerID: mug.Variants[0].ID,
	}))
	if m.OwnerResource != client.MetafieldOwnerVariant || m.OwnerID != mug.Variants[0].ID || m.CreatedAt.IsZero() || !m.DeletedAt.IsZero() || len(m.Extra) > 0 {
		t.Errorf("created %+v", m)
	}
	m = must[*client.Metafield](t)(v202503.Metafields(c).Update(ctx, m.ID, client.MetafieldInput{Value: "hats"}))
	if m.Value != "hats" || m.Description != "about it" {
		t.Errorf("updated to %+v", m)
	}
	found := must[[]client.Metafield](t)(v202503.Metafields(c).ListFor(client.MetafieldOwnerVariant, client.MetafieldFilter{OwnerID: m.OwnerID, Namespace: "app_data", Key: "size_guide"}).Collect(ctx))
	if len(found) != 1 || found[0].ID != m.ID {
		t.Errorf("found %+v, want %d", found, m.ID)
	}
	if err := v202503.Metafields(c).Delete(ctx, m.ID); err != nil {
		t.Error(err)
	}
	if _, err := v202503.Metafields(c).Get(ctx, m.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("deleted: got %v, want ErrNotFound", err)
	}
	_, err := v202503.Metafields(c).Create(ctx, client.MetafieldInput{Namespace: "a", Key: "b", Value: "c", OwnerResource: client.MetafieldOwnerProduct, OwnerID: 999999})
	if err == nil {
		t.Error("a metafield of nobody was created")
	}
	allRead(t, srv)
}

func TestInvoicesAgainstTheServer(t *testing.T) {
	srv := newServer(t, clienttest.Options{Demo: true})
	c, ctx := srv.Client(), t.Context()
	orders := must[*client.Page[client.Order]](t)(v202503.Orders(c).List(client.OrderFilter{}).Page(ctx))
	order := orders.Items[0].ID
	for _, key := range []string{"555", "556", "555"} {
		must[[]client.Invoice](t)(v202503.Invoices(c).Put(ctx, order, client.Invoice{Key: key, Link: "https://invoices.example/" + key}))
	}
	if all := must[[]client.Invoice](t)(v202503.Invoices(c).Of(ctx, order)); len(all) != 2 || all[0].Key != "555" || all[1].Link != "https://invoices.example/556" {
		t.Errorf("got %+v, want both", all)
	}
	kept := must[[]client.Metafield](t)(v202503.Metafields(c).ListFor(client.MetafieldOwnerOrder, client.MetafieldFilter{OwnerID: order, Namespace: "nfe"}).Collect(ctx))
	if len(kept) != 1 || kept[0].Key != "list" {
		t.Errorf("kept as %+v, want one metafield", kept)
	}
	allRead(t, srv)
}

// The invoice arrives although the answer to its first metafield is lost.
func TestInvoiceAfterALostAnswer(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, _ client.ID) {
		mug := must[*client.Product](t)(v1.Products(c).Create(t.Context(), client.ProductInput{Name: client.Plain("Mug"), Variants: []client.VariantInput{{Price: client.Set(client.Cents(100))}}}))
		order, err := srv.Seed(t.Context(), "/orders", map[string]any{
			"gateway": "not-provided", "products": []map[string]any{{"variant_id": mug.Variants[0].ID, "quantity": 1}}, "customer": map[string]any{"name": "Ana", "email": "ana@example.com"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := srv.Fault(clienttest.Fault{Operation: "POST /metafields", Count: 1, Reset: true, After: true}); err != nil {
			t.Fatal(err)
		}
		all := must[[]client.Invoice](t)(v1.Invoices(c).Put(t.Context(), order, client.Invoice{Key: "555", Link: "https://invoices.example/555"}))
		if len(all) != 1 || posts(srv, "POST /metafields", 0) != 1 {
			t.Errorf("got %+v after %d POSTs, want one of each", all, posts(srv, "POST /metafields", 0))
		}
	})
}
