// Types made from the documents: a cart is answered, and store_id of a cart is no number.
import type { webhooks } from './calls'
import type { components } from './api'
type Cart = webhooks['cart']['post']['requestBody']['content']['application/json']
type Answer = webhooks['cart']['post']['responses']['200']['content']['application/json']
export function answer(cart: Cart): Answer {
  const line = cart.products[0]
  return { commands: [{ command: 'create_or_update_discount', specs: { promotion_id: 'a', currency: cart.currency,
    line_items: [{ line_item: String(line.id), discount_specs: { type: 'percentage', amount: '10.00' } }] } }] }
}
export const handle = (c: components['schemas']['category']): string | undefined => c.handle['es']
// @ts-expect-error store_id is a text in carts
export const wrong = (cart: Cart): number => cart.store_id
