<?php
// A discount app: 10 % off each line of three pieces or more. "php discounts.php" installs it once, with the variables
// of "refserver env" and ORIGIN, the https address at which the platform reaches this program. Then run
// PHP_CLI_SERVER_WORKERS=8 php -S 127.0.0.1:3000 discounts.php
const NAME = 'Three or more';
const MOST = 1 << 20; // bytes of a body
const PROMOTION = 'promotion.txt'; // the id of the promotion; your database takes its place

function call(string $method, string $path, ?array $body = null): mixed
{
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Authentication: bearer ' . getenv('COMMERCE_TOKEN'), 'User-Agent: App (you@example.com)',
            'Content-Type: application/json'],
        'content' => $body === null ? '' : json_encode($body),
    ]]);
    $url = getenv('COMMERCE_BASE_URL') . '/v1/' . getenv('COMMERCE_STORE_ID') . $path;
    return json_decode(file_get_contents($url, false, $context) ?: '{}', true)['data'] ?? null;
}

// The store has one promotion of this app, also if it is installed again.
function install(): int
{
    $found = array_values(array_filter(call('GET', '/promotions'), fn ($p) => $p['name'] === NAME));
    $made = $found[0] ?? call('POST', '/promotions', ['name' => NAME, 'allocation_type' => 'line_item']);
    file_put_contents(PROMOTION, $made['id']);
    call('PUT', '/discounts/callbacks', ['url' => (getenv('ORIGIN') ?: 'https://app.example') . '/carts']);
    return 0;
}

// Each discount is derived from the cart. It is removed from lines that no longer qualify; 204 would leave it there.
function commands(array $cart, string $promotion): array
{
    $due = $had = $all = [];
    foreach ($cart['execution_tier'] === 'line_item' ? $cart['products'] : [] as $line) {
        $due = $line['quantity'] >= 3 ? [...$due, (string) $line['id']] : $due;
    }
    foreach ($cart['execution_tier'] === 'line_item' ? $cart['promotions'] : [] as $p) {
        $had = $p['id'] === $promotion ? [...$had, ...array_map('strval', $p['line_items'])] : $had;
    }
    $off = fn ($id) => ['line_item' => $id, 'discount_specs' => ['type' => 'percentage', 'amount' => '10.00']];
    $of = ['promotion_id' => $promotion];
    if ($due) {
        $specs = $of + ['currency' => $cart['currency'], 'line_items' => array_map($off, $due)];
        $all[] = ['command' => 'create_or_update_discount', 'specs' => $specs];
    }
    if ($lost = array_values(array_diff($had, $due))) {
        $all[] = ['command' => 'remove_discount', 'specs' => $of + ['scope' => 'line_item', 'line_items' => $lost]];
    }
    return $all;
}

// The answer must arrive within 800 ms. Carts are not signed: only the platform's addresses may send them.
function answer(): array
{
    if (!in_array($_SERVER['REMOTE_ADDR'], explode(',', getenv('ALLOWED') ?: '127.0.0.1'), true)) {
        return [403, null];
    }
    $body = file_get_contents('php://input', false, null, 0, MOST + 1);
    if ($_SERVER['REQUEST_METHOD'] !== 'POST' || strlen($body) > MOST) {
        return [strlen($body) > MOST ? 413 : 405, null];
    }
    set_error_handler(fn ($level, $text) => throw new UnexpectedValueException($text));
    try {
        $cart = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
        $all = commands($cart, file_get_contents(PROMOTION));
        $known = (string) $cart['store_id'] === getenv('COMMERCE_STORE_ID'); // 310: the app is not installed there
        return $known ? ($all ? [200, ['commands' => $all]] : [204, null]) : [310, null];
    } catch (JsonException | TypeError | UnexpectedValueException $err) {
        error_log('not a cart: ' . $err->getMessage());
        return [204, null]; // another status removes all discounts of the cart
    }
}

PHP_SAPI === 'cli' && exit(install());
[$status, $body] = answer();
http_response_code($status);
header('Content-Type: application/json');
echo $body === null ? '' : json_encode($body);
