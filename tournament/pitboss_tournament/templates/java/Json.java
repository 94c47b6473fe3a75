import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON: an object becomes a Map, an array a List, a string a String, a number a Long, or a Double if it is no whole
 * number, and null is null. `object`, `array`, `string` and `integer` say which of them a value is.
 */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** The text is no JSON. */
    static class Malformed extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        Malformed(String what, int at) {
            super(what + " at " + at);
        }
    }

    /** The text ends too early. */
    static final class Unfinished extends Malformed {
        private static final long serialVersionUID = 1;

        Unfinished(int at) {
            super("the end", at);
        }
    }

    /** Return the value of a text. */
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        if (json.next() != END) throw new Malformed("more text", json.at);
        return value;
    }

    @SuppressWarnings("unchecked") // only `read` makes them, and its keys are strings
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked") // only `read` makes them
    static List<Object> array(Object value) {
        return (List<Object>) value;
    }

    static String string(Object value) {
        return (String) value;
    }

    static int integer(Object value) {
        return Math.toIntExact((Long) value);
    }

    private static final char END = 0;

    /** Return the next sign that is no blank, and stay before it; END if there is none. */
    private char next() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        return at < text.length() ? text.charAt(at) : END;
    }

    private boolean takes(char sign) {
        if (next() != sign) return false;
        at++;
        return true;
    }

    private void expect(char sign) {
        if (takes(sign)) return;
        if (at >= text.length()) throw new Unfinished(at);
        throw new Malformed("no " + sign, at);
    }

    private Object value() {
        return switch (next()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        if (takes('}')) return members;
        do {
            next();
            String key = string();
            expect(':');
            members.put(key, value());
        } while (takes(','));
        expect('}');
        return members;
    }

    private List<Object> array() {
        List<Object> items = new ArrayList<>();
        expect('[');
        if (takes(']')) return items;
        do {
            items.add(value());
        } while (takes(','));
        expect(']');
        return items;
    }

    private String string() {
        expect('"');
        int from = at;
        while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\') at++;
        if (at < text.length() && text.charAt(at) == '"') return text.substring(from, at++); // most strings have no escapes
        StringBuilder built = new StringBuilder(text.substring(from, at));
        for (char sign = sign(); sign != '"'; sign = sign()) built.append(sign == '\\' ? escaped() : sign);
        return built.toString();
    }

    private char sign() {
        if (at >= text.length()) throw new Unfinished(at);
        return text.charAt(at++);
    }

    private char escaped() {
        char sign = sign();
        return switch (sign) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                if (at + 4 > text.length()) throw new Unfinished(at);
                yield (char) Integer.parseInt(text.substring(at, at += 4), 16); // a pair of escapes is a pair of chars
            }
            default -> sign;
        };
    }

    private Object word() {
        int from = at;
        while (at < text.length() && ",]}: \t\r\n".indexOf(text.charAt(at)) < 0) at++;
        String word = text.substring(from, at);
        if (at >= text.length()) throw new Unfinished(at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> number(word, from);
        };
    }

    private static Object number(String word, int from) {
        try {
            if (word.matches("-?\\d{1,18}")) return Long.valueOf(word);
            return Double.valueOf(word);
        } catch (NumberFormatException wrong) {
            throw new Malformed("no value", from);
        }
    }
}
