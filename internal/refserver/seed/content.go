package seed

import (
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// scripts are what the demo app has in the partner portal: one that every store
// gets, and two to associate with a store.
func scripts() []world.Script {
	version := func(id int64, n int) *world.ScriptVersion {
		return &world.ScriptVersion{ID: id, Version: n, VersionID: "v" + strconv.FormatInt(id, 10)}
	}
	return []world.Script{
		{ID: DemoScript, Name: "Size guide", Handle: "size-guide", Event: "onfirstinteraction", Location: "store", Status: "active",
			Current: version(4001, 2), Draft: version(4002, 3)},
		{ID: DemoScript + 1, Name: "Visits", Handle: "visits", Event: "onfirstinteraction", Location: "store", Status: "active",
			AutoInstalled: true, Current: version(4003, 1)},
		{ID: DemoScript + 2, Name: "Gift wrap", Handle: "gift-wrap", Event: "onload", Location: "checkout", Status: "active", Current: version(4004, 1)},
	}
}

// content gives the store a page, and some entities fields and data of their own.
func (c *caller) content(products map[string]int64, customers []int64) {
	page := id(c.call("pages.create", nil, object{"page": object{"i18n": object{
		"en_US": object{"title": "About us", "content": "<p>We make things to live with.</p>", "seo_title": "About us"},
		"es_AR": object{"title": "Quiénes somos", "content": "<p>Hacemos cosas para vivir.</p>", "seo_title": "Quiénes somos"},
	}}}))
	care := c.call("productCustomFields.create", nil, object{"name": "Care", "description": "How to wash it", "value_type": "text_list", "read_only": true,
		"values": []string{"By hand", "At 30 degrees", "At 60 degrees"}})
	c.assign("productCustomFields", products["tee"], care["id"], "At 30 degrees")
	c.assign("productCustomFields", products["hoodie"], care["id"], "By hand")
	birthday := c.call("customerCustomFields.create", nil, object{"name": "Birthday", "value_type": "date", "values": []string{}})
	c.assign("customerCustomFields", customers[2], birthday["id"], "1990-04-12")
	c.metafield("Product", products["teapot"], "supplier", "V-204")
	c.metafield("Page", page, "layout", "wide")
}

// DemoBlog is the id of the blog of the demo store.
const DemoBlog = "5d0f6f0c-3f0b-4c55-9a3d-0c9f4f6c1a01"

// blog gives the store its blog, with a post in two languages and a draft. No operation makes a blog.
func (c *caller) blog() {
	c.put(func(tx *world.Tx) error {
		owner := strconv.FormatInt(tx.Store().ID, 10)
		if err := tx.Blogs.Put(DemoBlog, world.Blog{ID: DemoBlog, OwnerID: owner}); err != nil {
			return err
		}
		for _, p := range []world.BlogPost{
			{
				ID: "5d0f6f0c-3f0b-4c55-9a3d-0c9f4f6c1a02", PublishedAt: tx.Now(), Texts: []world.BlogText{
					{Language: "en", Title: "How we make a teapot", Handle: "teapot", Summary: "Clay, water, fire.", Content: "<p>With patience.</p>"},
					{Language: "es", Title: "Cómo hacemos una tetera", Handle: "tetera", Summary: "Arcilla, agua, fuego.", Content: "<p>Con paciencia.</p>"},
				},
			},
			{
				ID:    "5d0f6f0c-3f0b-4c55-9a3d-0c9f4f6c1a03",
				Texts: []world.BlogText{{Language: "en", Title: "Winter sale", Handle: "winter-sale"}},
			},
		} {
			p.BlogID, p.AuthorID, p.AuthorName = DemoBlog, owner, "Demo Store"
			p.CreatedAt, p.UpdatedAt = tx.Now(), tx.Now()
			if err := tx.BlogPosts.Put(p.ID, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// assign gives an entity a value for a custom field.
func (c *caller) assign(fields string, entity int64, field, value any) {
	c.call(fields+".setValues", map[string]string{"id": strconv.FormatInt(entity, 10)}, []object{{"id": field, "value": value}})
}

func (c *caller) metafield(owner string, id int64, key, value string) {
	c.call("metafields.create", nil, object{"namespace": "demo", "key": key, "value": value, "owner_resource": owner, "owner_id": id})
}
