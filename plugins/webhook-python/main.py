"""A message front end over HTTP: POST /chats/ID/messages with {"text", "id"?, "sender"?} is answered with the reply.

docs/write-a-channel.md explains how channels work.
"""

import collections
import hmac
import http.server
import itertools
import json
import os
import re
import threading
import time
import urllib.parse

import toolpost

ADDRESS = "127.0.0.1"
MAX_BODY_BYTES = 1024 * 1024

channel = toolpost.Channel(
    "webhook-python",
    config_schema=[
        {"key": "port", "label": f"Port on {ADDRESS}", "type": "number", "default_value": 8788},
        {"key": "token", "label": "Bearer token that senders must have", "type": "password"},
    ],
    prompt={
        "05_channel_webhook-python": "You answer messages that programs post over HTTP. Answer in plain text, without Markdown."
    },
)

# Who waits for the reply to a request id of a chat: more than one where a sender asked again.
lock = threading.Lock()
waiting = collections.defaultdict(list)
answered = 0
started_at = time.time()
own_ids = itertools.count(1)


@channel.tool(annotations={"readOnlyHint": True})
def webhook_python_status() -> dict:
    """Tells how many messages of the Python webhook wait for a reply, and how many were answered since it started."""
    with lock:
        count = sum(len(waiters) for waiters in waiting.values())
    return {"waiting": count, "answered": answered, "uptimeSeconds": round(time.time() - started_at)}


@channel.on_start
def start():
    if not channel.is_serving:  # where only tools are listed or called, another process may be listening
        return
    if len(str(channel.config.get("token") or "")) < 16:
        raise ValueError(
            "set channels.webhook-python.token to a secret of at least 16 characters: whoever has it may send messages"
        )
    server = listen(int(channel.config["port"]))
    threading.Thread(target=server.serve_forever, daemon=True).start()


def listen(port):
    """The process before this one may still hold the port for a moment."""
    for attempt in range(50):
        try:
            return Server((ADDRESS, port), Handler)
        except OSError as error:
            if attempt == 49:
                raise OSError(f"cannot listen on {ADDRESS}:{port}: {error}") from None
            time.sleep(0.1)


@channel.on_reply
def reply(reply):
    global answered
    # One that nobody waits for is kept by the host, for a sender that lost its connection and sends its message again.
    with lock:
        waiters = list(waiting.get((reply.chat_id, reply.request_id), ()))
        answered += bool(waiters)
    for waiter in waiters:
        waiter.resolve(reply)


class Waiter:
    def __init__(self):
        self.ready = threading.Event()
        self.reply = None

    def resolve(self, reply):
        self.reply = reply
        self.ready.set()


class Refusal(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        try:
            self.answer(*self.take())
        except Refusal as refusal:
            self.answer(refusal.status, {"error": str(refusal)})

    def take(self):
        given, expected = self.headers.get("authorization", ""), f"Bearer {channel.config['token']}"
        if not hmac.compare_digest(given.encode(), expected.encode()):
            raise Refusal(401, "the Authorization header must be Bearer and the token")
        path = re.fullmatch(r"/chats/([^/?]{1,200})/messages", self.path)
        if not path:
            raise Refusal(404, "there is POST /chats/ID/messages")
        chat_id, body = urllib.parse.unquote(path.group(1)), self.body()
        text, sender = body.get("text"), body.get("sender")
        if not isinstance(text, str) or not text.strip():
            raise Refusal(400, "text must be a text that is not empty")
        request_id = str(body.get("id") or f"{os.getpid()}-{started_at}-{next(own_ids)}")
        return self.exchange(chat_id, request_id, text, sender if isinstance(sender, str) else "")

    def exchange(self, chat_id, request_id, text, sender):
        key, waiter = (chat_id, request_id), Waiter()
        with lock:  # before the message is sent, so that no reply can come too early
            waiting[key].append(waiter)
        try:
            receipt = channel.send_inbound(chat_id, text, request_id=request_id, sender_id=sender)
            if receipt.reply is not None:
                return to_answer(chat_id, request_id, receipt.reply, receipt.is_error)
            waiter.ready.wait()
            return to_answer(chat_id, request_id, waiter.reply.text, waiter.reply.is_error)
        except toolpost.ToolError as error:  # the message was not taken: it is the sender's to send again
            raise Refusal(503, str(error)) from None
        finally:
            leave(key, waiter)

    def body(self):
        length = int(self.headers.get("content-length") or 0)
        if length > MAX_BODY_BYTES:
            raise Refusal(413, f"a message may have {MAX_BODY_BYTES} bytes")
        try:
            body = json.loads(self.rfile.read(length))
        except ValueError:
            body = None
        if not isinstance(body, dict):
            raise Refusal(400, 'the body must be a JSON object, like {"text": "hello"}')
        return body

    def answer(self, status, body):
        data = (json.dumps(body, ensure_ascii=False) + "\n").encode()
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json; charset=utf-8")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            pass  # who asked is gone, and may ask again under the same id

    def log_message(self, *_):
        pass


def leave(key, waiter):
    with lock:
        waiting[key].remove(waiter)
        if not waiting[key]:
            del waiting[key]


def to_answer(chat_id, request_id, text, is_error):
    return 502 if is_error else 200, {"chat": chat_id, "id": request_id, "reply": text, "isError": is_error}


if __name__ == "__main__":
    toolpost.serve_channel(channel)
