import Scenarios
import Testing
import VitalsModel

@Suite struct SyntaxTests {
  /// What is no YAML, told in the words of this tool and at the place where a person would look.
  @Test(
    arguments: [
      ("name: x: y", ["1:8 a \":\" cannot stand here | check the indentation, or put the text in quotes"]),
      ("name: x\nabout\nseed: 1", ["2:1 a key without its \":\" | write \"key: value\""]),
      ("name: x\nabout", ["2:1 a key without its \":\" | write \"key: value\""]),
      ("name: x\n  about: y", ["2:8 a \":\" cannot stand here | check the indentation, or put the text in quotes"]),
      (
        "seed: 1\nabout: a\n b: c", ["3:3 a \":\" cannot stand here | check the indentation, or put the text in quotes"]
      ),
      (
        "tags:\n  - a\n - b",
        ["3:2 the indentation does not fit the lines before | keys of one block begin in one column"]
      ),
      (
        "tags:\n  - a\n  b: c",
        ["3:3 the indentation does not fit the list before | items of one list begin in one column"]
      ),
      ("tags: [a, b", ["1:7 the list is not closed | expected \",\" or \"]\""]),
      ("tags: [a b: c, [d]", ["1:7 the list is not closed | expected \",\" or \"]\""]),
      ("subject: { a: b", ["1:10 the block of keys is not closed | expected \",\" or \"}\""]),
      ("tags: - a", ["1:7 a \"-\" cannot stand here | a list begins on a line of its own"]),
      ("tags: ]", ["1:7 a value is missing here"]),
      ("about: `y`", ["1:8 a value cannot begin with this character | put the text in quotes"]),
      ("about: @y", ["1:8 a value cannot begin with this character | put the text in quotes"]),
      ("about: %y", ["1:8 a value cannot begin with this character | put the text in quotes"]),
      ("about: 'y", ["1:8 the quotation mark is never closed"]),
      ("about: \"y", ["1:8 the quotation mark is never closed"]),
      ("about: \"y\n---\nz\"", ["1:8 the quotation mark is never closed"]),
      ("about: \"\\q\"", ["1:9 an escape that YAML does not know | use single quotes"]),
      ("about: \"\\xzz\"", ["1:11 an escape that YAML does not know | use single quotes"]),
      ("about: \"\\ud800\"", ["1:11 an escape that YAML does not know | use single quotes"]),
      ("about: \"y\" z", ["1:12 this does not belong to the value before it | put the whole text in quotes"]),
      ("about: *", ["1:9 an alias is not allowed | put the text in quotes"]),
      ("about: &", ["1:9 an anchor is not allowed | put the text in quotes"]),
      ("about: *y", ["1:8 an alias is not allowed | write the value out"]),
      ("about: &y z", ["1:8 an anchor is not allowed | take it out"]),
      ("about: !y z", ["1:8 a tag is not allowed | take it out"]),
      ("about: !a!b z", ["1:8 a tag is not allowed | take it out, or put the text in quotes"]),
      ("about: !<y z", ["1:11 a tag is not allowed | take it out, or put the text in quotes"]),
      (
        "about: |9x\n y",
        ["1:10 this cannot follow the sign of a text of several lines | begin the text on the next line"]
      ),
      (
        "about: |\n    y\n  z\n",
        ["3:3 the indentation does not fit the lines before | keys of one block begin in one column"]
      ),
      ("about: ? y", ["1:8 a key cannot stand here | check the indentation"]),
      ("%TAG", ["1:5 a directive is not allowed | take the line out"]),
      ("%YAML 3.0\n---\nname: x", ["1:1 a directive is not allowed | take the line out"]),
      ("%YAML 1.1\n%YAML 1.1\n---\nname: x", ["2:1 a directive is not allowed | take the line out"]),
      ("name: x\n...\nabout: y", ["3:1 the document ends before this line | check the indentation"]),
      ("name: x\n--- y", ["2:1 a second document begins here | one file holds one scenario"]),
      ("{name: x}\nabout: y", ["2:1 the document ends before this line | check the indentation"]),
      ("? name\n: x", []),
      ("? [name]\n: x", ["1:3 a key must be a word"]),
      ("[a]: x", ["1:1 a key must be a word"]),
      ("<<: x", ["1:1 a merge key is not allowed | write the keys out"]),
      (": x", ["1:1 the indentation does not fit the lines before | keys of one block begin in one column"]),
    ] as [(String, [String])])
  func tells(text: String, expected: [String]) {
    let told = mistakes(text).filter { !$0.contains("the scenario has no ") }
    #expect(told == expected)
  }
}
