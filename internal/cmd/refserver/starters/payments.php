<?php
// A payment app: it accepts every payment and every refund. It has the variables of "refserver env". ORIGIN is the
// https address that the platform calls. Register ORIGIN with /process, /cancel and /status. The payment provider of
// the store is made once, with POST /payment_providers. Run PHP_CLI_SERVER_WORKERS=8 php -S 127.0.0.1:3000 payments.php
const JOURNAL = 'payments.ndjson', MOST = 1 << 20; // your database takes its place; bytes of a body
define('ORIGIN', getenv('ORIGIN') ?: 'https://app.example');

function call(string $path, ?array $body = null): array
{
    $context = stream_context_create(['http' => [
        'method' => $body ? 'POST' : 'GET', 'timeout' => 10, 'ignore_errors' => true,
        'header' => ['Authorization: Bearer ' . getenv('COMMERCE_TOKEN'), 'User-Agent: Payments (you@example.com)',
            'Content-Type: application/json'],
        'content' => $body ? json_encode($body) : '',
    ]]);
    $url = getenv('COMMERCE_BASE_URL') . '/v1/' . getenv('COMMERCE_STORE_ID') . $path;
    $answer = @file_get_contents($url, false, $context);
    $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
    if (!$body && $status === 404) {
        return []; // an empty list
    }
    return $status >= 200 && $status < 300 ? json_decode($answer, true) : throw new RuntimeException("$path: $status");
}

// The platform signs URL|timestamp|hash of the body. The URL is the registered one, whatever the header Host says.
function signed(string $body): bool
{
    $at = $_SERVER['HTTP_X_TIMESTAMP'] ?? '';
    if (!preg_match('/^\d{1,12}$/D', $at) || abs(time() - (int) $at) > 300) {
        return false;
    }
    $text = ORIGIN . $_SERVER['REQUEST_URI'] . "|$at|" . hash('sha256', $body);
    $signature = base64_decode($_SERVER['HTTP_X_SIGNATURE'] ?? '', true);
    return openssl_verify($text, (string) $signature, getenv('COMMERCE_PAYMENTS_KEY'), OPENSSL_ALGO_SHA256) === 1;
}

// Written before and after money moves, so that a restarted program can look for an operation that it had begun.
function note(array $made): array
{
    file_put_contents(JOURNAL, json_encode($made) . "\n", FILE_APPEND);
    return $made;
}

// The transaction of an attempt, which an earlier call may have made whose answer was lost.
function find(array $made): ?array
{
    $ours = fn ($tx) => ($tx['info']['external_id'] ?? '') === $made['attempt'];
    return array_values(array_filter(call("/orders/{$made['order']}/transactions"), $ours))[0] ?? null;
}

// Money moves here: the card is charged, with the id of the attempt as the key. Then the platform gets the transaction.
function charge(array $made, array $ask): void
{
    $event = ['type' => 'sale', 'status' => 'success', 'authorization_code' => 'A1', 'amount' => $made['amount']];
    $found = find($made) ?? call("/orders/{$made['order']}/transactions", [
        'payment_provider_id' => $ask['payment_provider_id'],
        'payment_method' => $ask['payment_method'],
        'first_event' => $event,
        'info' => ['external_id' => $made['attempt'], 'installments' => ['quantity' => 1],
            'refund_url' => ORIGIN . '/refunds', 'supports_partial_refund' => true],
    ]);
    note(['id' => $found['id']] + $made);
}

// Money moves back here, with the key: all that is left, or an amount. The message shows an earlier report of it.
function giveBack(array $made, ?array $amount, string $key): void
{
    $path = "/orders/{$made['order']}/transactions/{$made['id']}";
    $seen = call($path);
    $left = number_format($seen['captured_amount']['value'] - $seen['refunded_amount']['value'], 2, '.', '');
    $amount ??= ['value' => $left] + $made['amount'];
    $event = ['type' => 'refund', 'status' => 'success', 'authorization_code' => 'R1', 'amount' => $amount];
    $known = in_array($key, array_map(fn ($e) => $e['info']['message'] ?? '', $seen['events']), true);
    if ($amount['value'] > 0 && !$known) {
        call("$path/events", $event + ['info' => ['message' => $key]]);
    }
}

// The platform waits 20 seconds. A call may come twice, also at once: each moves money once.
function answer(string $path, array $ask): array
{
    $lock = fopen(JOURNAL, 'a+');
    flock($lock, LOCK_EX); // one at a time; your database has a unique key
    $all = []; // by attempt
    foreach (file(JOURNAL, FILE_SKIP_EMPTY_LINES) as $line) {
        $all[json_decode($line, true)['attempt']] = json_decode($line, true);
    }
    $is = fn ($name, $value) => fn ($made) => (string) ($made[$name] ?? '') === "$value";
    $with = fn ($name, $value) => array_values(array_filter($all, $is($name, $value)));
    if ($path === '/status') {
        return [200, ['transactions' => $with('order', $_GET['order_id'] ?? '-')]];
    }
    $attempt = $ask['payment_attempt_id'] ?? $_GET['payment_attempt_id'] ?? '';
    $made = $all[$attempt] ?? ['attempt' => $attempt];
    if ($path === '/process' && !isset($made['id'])) {
        if (isset($made['cancelled'])) {
            return [409, []]; // the cancellation came first
        }
        charge(note(['order' => $ask['order_id'], 'amount' => $ask['amount']] + $made), $ask);
    }
    if ($path === '/cancel') {
        $id = $made['id'] ?? (isset($made['order']) ? find($made)['id'] ?? null : null);
        $made = note(['cancelled' => true] + ($id ? ['id' => $id] : []) + $made);
        $id && giveBack($made, null, "cancel $attempt");
    }
    if ($made = $path === '/refunds' ? $with('id', $ask['transaction_id'])[0] ?? null : null) {
        giveBack($made, $ask['amount'], 'refund ' . hash('md5', $_SERVER['HTTP_X_SIGNATURE'])); // as it has no id
    }
    return match ($path) {
        '/process' => [201, []], '/cancel' => [200, []],
        '/refunds' => $made ? [202, []] : [422, ['error_code' => 'refund_rejected']],
    };
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$known = preg_match('~^(POST /(process|cancel|refunds)|GET /status)$~D', "{$_SERVER['REQUEST_METHOD']} $path");
$body = file_get_contents('php://input', false, null, 0, MOST + 1);
[$status, $out] = [$known ? (strlen($body) > MOST ? 413 : 401) : 405, []];
if ($status === 401 && signed($body)) {
    try {
        [$status, $out] = answer($path, json_decode($body, true) ?? []);
    } catch (RuntimeException $failed) {
        error_log($failed->getMessage());
        $status = 503; // the platform calls again
    }
}
http_response_code($status);
header('Content-Type: application/json');
echo json_encode((object) $out);
