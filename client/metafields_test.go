package client

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestMetafieldReadsTolerantly(t *testing.T) {
	var m Metafield
	if err := wire.Unmarshal([]byte(`{"id":1,"owner_id":"144","owner_resource":"Product_Variant","description":null,"created_at":"2015-01-02 20:27:51","updated_at":"2015-01-02T19:48:44+0000","deleted_at":null}`), &m); err != nil {
		t.Fatal(err)
	}
	if m.OwnerID != 144 || m.OwnerResource != MetafieldOwnerVariant || m.CreatedAt.Format("15:04") != "20:27" || m.UpdatedAt.Format("15:04") != "19:48" || !m.DeletedAt.IsZero() || len(m.Extra) > 0 {
		t.Errorf("got %+v", m)
	}
}

func TestMetafieldInputIsChecked(t *testing.T) {
	in := func(change func(*MetafieldInput)) MetafieldInput {
		in := MetafieldInput{Namespace: "app_data", Key: "size2", Value: "shoes", OwnerResource: MetafieldOwnerProduct, OwnerID: 42}
		change(&in)
		return in
	}
	for _, test := range []struct {
		name   string
		change func(*MetafieldInput)
		want   string
	}{
		{"whole", func(*MetafieldInput) {}, ""},
		{"no namespace", func(in *MetafieldInput) { in.Namespace = "" }, `namespace: "": must be a letter, then`},
		{"namespace with a dash", func(in *MetafieldInput) { in.Namespace = "app-data" }, `namespace: "app-data"`},
		{"key with a digit in front", func(in *MetafieldInput) { in.Key = "2size" }, `key: "2size"`},
		{"key with _ in front", func(in *MetafieldInput) { in.Key = "_size" }, `key: "_size"`},
		{"key with an accent", func(in *MetafieldInput) { in.Key = "tamaño" }, `key: "tamaño"`},
		{"one letter", func(in *MetafieldInput) { in.Key = "Z" }, ""},
		{"no value", func(in *MetafieldInput) { in.Value = "" }, `value: ""`},
		{"another owner", func(in *MetafieldInput) { in.OwnerResource = "products" }, `owner_resource: "products": must be Product, Product_Variant`},
		{"no owner", func(in *MetafieldInput) { in.OwnerID = 0 }, `owner_id: "0"`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, in(test.change).check(), test.want) })
	}
	for want, in := range map[string]MetafieldInput{
		"":                               {Value: "x"},
		`value: "": must be a value`:     {},
		`namespace: "a": must be empty`:  {Value: "x", Namespace: "a"},
		`key: "a": must be empty`:        {Value: "x", Key: "a"},
		`owner_resource: "Page"`:         {Value: "x", OwnerResource: MetafieldOwnerPage},
		`owner_id: "7": must be 0, beca`: {Value: "x", OwnerID: 7},
	} {
		refusal(t, in.checkUpdate(), want)
	}
	refusal(t, MetafieldInput{Description: Set("")}.checkUpdate(), "")
}

func TestMetafieldServiceRequests(t *testing.T) {
	ctx := t.Context()
	for owner, path := range map[MetafieldOwner]string{
		MetafieldOwnerProduct: "products", MetafieldOwnerVariant: "product_variants", MetafieldOwnerCategory: "categories",
		MetafieldOwnerPage: "pages", MetafieldOwnerOrder: "orders", MetafieldOwnerCustomer: "customers",
	} {
		requests(t, VersionV1, as[MetafieldService], []request[MetafieldService]{
			{"GET /v1/123/metafields/" + path + " fields=id%2Cvalue&key=list&namespace=nfe&owner_id=7&per_page=1", `[]`, func(s *MetafieldService) error {
				_, err := s.ListFor(owner, MetafieldFilter{Paging: Paging{PerPage: 1, Fields: []string{"id", "value"}}, OwnerID: 7, Namespace: "nfe", Key: "list"}).Page(ctx)
				return err
			}},
		})
	}
	requests(t, VersionV1, as[MetafieldService], []request[MetafieldService]{
		{
			`POST /v1/123/metafields {"namespace":"a","key":"b","value":"c","owner_resource":"Product_Variant","owner_id":7}`, `{"id":7}`,
			func(s *MetafieldService) error {
				_, err := s.Create(ctx, MetafieldInput{Namespace: "a", Key: "b", Value: "c", OwnerResource: MetafieldOwnerVariant, OwnerID: 7})
				return err
			},
		},
		{`PUT /v1/123/metafields/7 {"description":null}`, `{"id":7}`, func(s *MetafieldService) error {
			_, err := s.Update(ctx, 7, MetafieldInput{Description: Null[string]()})
			return err
		}},
	})
	refused(t, VersionV1, as[MetafieldService], map[string]func(*MetafieldService) error{
		"namespace: ":  func(s *MetafieldService) error { _, err := s.Create(ctx, MetafieldInput{}); return err },
		`namespace: "`: func(s *MetafieldService) error { _, _, err := s.CreateOrGet(ctx, MetafieldInput{}); return err },
		"value: ":      func(s *MetafieldService) error { _, err := s.Update(ctx, 7, MetafieldInput{}); return err },
		"GET /metafields/{owner_resource}: owner_resource: ": func(s *MetafieldService) error {
			_, err := s.ListFor("planets", MetafieldFilter{}).Page(ctx)
			return err
		},
	})
}
