import unittest

from support import PluginTestCase

ENRICHERS = """
@toolpost.enricher("who", priority=10)
def who(session):
    return f"The user is {session.user} in {session.channel}."

@toolpost.enricher("nothing")
async def nothing():
    return None

@toolpost.enricher("broken")
def broken():
    return 5
"""


class EnrichersTest(PluginTestCase):
    def enrich(self, plugin, name, **more):
        plugin.send(id="e", method="enrich", params={"enricherName": name, **more})
        message = plugin.receive()
        self.assertEqual(message.pop("id"), "e")
        return message

    def test_are_declared_and_give_their_text(self):
        plugin = self.start(ENRICHERS)
        declared = [{"name": "who", "priority": 10}, {"name": "nothing"}, {"name": "broken"}]
        self.assertEqual(plugin.activation["enrichers"], declared)
        self.assertEqual(self.enrich(plugin, "who", user="ann", channel="cli"), {"result": "The user is ann in cli."})
        self.assertEqual(self.enrich(plugin, "nothing"), {"result": ""})

    def test_failures_are_answered_with_their_reason(self):
        plugin = self.start(ENRICHERS)
        self.assertIn("an enricher returns text or None, not int", self.enrich(plugin, "broken")["error"])
        self.assertEqual(self.enrich(plugin, "who?"), {"error": "Unknown enricher: who?"})

    def test_answer_hosts_of_version_1_too(self):
        plugin = self.start(ENRICHERS, versions=None)
        plugin.send(method="enrich", params={"enricherName": "who"})
        self.assertEqual(plugin.receive(), {"result": "The user is  in ."})

    def test_two_of_one_name_are_refused(self):
        twice = "@toolpost.enricher('a')\ndef a(): pass\n@toolpost.enricher('a')\ndef b(): pass"
        plugin = self.start(twice, activate=False)
        self.assertNotEqual(plugin.end(), 0)
        self.assertIn("two enrichers are named 'a'", plugin.stderr())


if __name__ == "__main__":
    unittest.main()
