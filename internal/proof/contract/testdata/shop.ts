// A client that is made of the document alone: a category and a product are created, changed, listed and deleted.
import createClient from 'openapi-fetch'
import type { paths } from './api'

const [url, store, token] = process.argv.slice(2)
const path = { version: 'v1' as const, store_id: store }
const api = createClient<paths>({
  baseUrl: url, headers: { Authorization: `Bearer ${token}`, 'User-Agent': 'Foreign (foreign@app.example)' },
})
const done = <T>(call: { data?: T; error?: unknown; response: Response }): NonNullable<T> => {
  if (!call.response.ok) throw new Error(`${call.response.url}: ${call.response.status} ${JSON.stringify(call.error)}`)
  return call.data as NonNullable<T>
}

const all = '/{version}/{store_id}/products', one = '/{version}/{store_id}/products/{id}'
const category = done(await api.POST('/{version}/{store_id}/categories', {
  params: { path }, body: { name: { en: 'Pots', es: 'Ollas' } },
}))
const product = done(await api.POST(all, {
  params: { path }, body: { name: { en: 'Pot' }, categories: [category.id], variants: [{ price: '10.50', stock: 3 }] },
}))
const at = { path: { ...path, id: String(product.id) } }
done(await api.PUT(one, { params: at, body: { published: false, tags: 'iron, new' } }))
const shown = done(await api.GET(one, { params: at }))
const listed = done(await api.GET(all, { params: { path, query: { per_page: 200 } } }))
if (!listed.some((p) => p.id === shown.id) || shown.published) throw new Error('the product is not as it was changed')
done(await api.DELETE(one, { params: at }))
const gone = await api.GET(one, { params: at })
console.log(gone.response.status)
