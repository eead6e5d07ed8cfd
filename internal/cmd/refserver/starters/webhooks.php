<?php
// A receiver of webhooks. Run: php -S 127.0.0.1:3000 webhooks.php
// The variable COMMERCE_APP_SECRET is the secret of the app; "refserver env" prints it for the reference server.
$secret = getenv('COMMERCE_APP_SECRET');
if ($secret === false || $secret === '') {
    http_response_code(500);
    error_log('COMMERCE_APP_SECRET must be set: with an empty secret anybody can sign');
    return;
}
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    header('Allow: POST');
    http_response_code(405);
    return;
}
$most = 1 << 20; // bytes of a body
$body = file_get_contents('php://input', false, null, 0, $most + 1);
if (strlen($body) > $most) {
    http_response_code(413);
    return;
}
// The signature is an HMAC-SHA256, in hexadecimal digits, of exactly the bytes that arrived.
$given = $_SERVER['HTTP_X_PLATFORM_HMAC_SHA256'] ?? '';
if (!hash_equals(hash_hmac('sha256', $body, $secret), $given)) {
    http_response_code(401);
    return;
}
// A webhook is stored before it is answered. After an error the platform sends it again, for 48 hours. Your database
// takes the place of the file, and another program works, because the platform waits 3 seconds for the answer. It reads
// the record from the API: the webhook says only that it has changed. The same event may come twice, so remember in
// your database what must happen once, such as points for an order/paid, by event and id.
$line = json_encode($body, JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
$journal = fopen('webhooks.ndjson', 'a');
$stored = $journal !== false && flock($journal, LOCK_EX)
    && fwrite($journal, $line) === strlen($line) && fsync($journal);
http_response_code($stored ? 200 : 503);
