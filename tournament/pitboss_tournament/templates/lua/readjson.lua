-- Reads JSON: objects and arrays become tables, arrays from 1, and null becomes readjson.null.
--
-- readjson(text) returns the value, or nil and what is wrong with the text.

local readjson = { null = setmetatable({}, { __tostring = function() return "null" end }) }

local CONSTANTS = { ["true"] = true, ["false"] = false, null = readjson.null }
local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local value -- value(text, at) returns the value that begins there, and the place after it

local function fail(at, what)
  error({ message = what .. " at " .. at }, 0)
end

local function after_blanks(text, at)
  return text:find("[^ \t\r\n]", at) or #text + 1
end

-- The bytes of a character, which has a number as Unicode counts; utf8.char is in Lua 5.3 and later only.
local function utf8_bytes(code)
  if code < 0x80 then
    return string.char(code)
  end
  local bytes, first = "", 0x40 -- how much the first byte can hold: less with each byte that follows it
  repeat
    bytes = string.char(0x80 + code % 0x40) .. bytes
    code = math.floor(code / 0x40)
    first = first / 2
  until code < first
  return string.char(0x100 - 2 * first + code) .. bytes
end

-- A backslash comes as an escape of its own to begin with, so that none is left which could be taken for another's.
-- Characters beyond 0xFFFF are written as two escapes.
local function unescaped(text)
  text = text:gsub("\\\\", "\\u005c"):gsub("\\([^u])", function(sign)
    return ESCAPES[sign] or sign
  end)
  text = text:gsub("\\u([Dd][89ABab]%x%x)\\u([Dd][C-Fc-f]%x%x)", function(high, low)
    return utf8_bytes(0x10000 + (tonumber(high, 16) - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00)
  end)
  return (text:gsub("\\u(%x%x%x%x)", function(code)
    return utf8_bytes(tonumber(code, 16))
  end))
end

local function string_value(text, at)
  local from = at + 1
  repeat
    local stop = text:find('["\\]', at + 1)
    if not stop then
      fail(from - 1, "a string without end")
    end
    at = text:byte(stop) == 34 and stop or stop + 1 -- a backslash: the next sign does not count
  until at == stop
  local inner = text:sub(from, at - 1)
  return inner:find("\\", 1, true) and unescaped(inner) or inner, at + 1
end

-- Read what stands between brackets: `member` reads one of them into the table.
local function members(text, at, last, member)
  local result = {}
  at = after_blanks(text, at + 1)
  if text:sub(at, at) == last then
    return result, at + 1
  end
  while true do
    at = after_blanks(text, member(result, at))
    local sign = text:sub(at, at)
    if sign == last then
      return result, at + 1
    elseif sign ~= "," then
      fail(at, "no comma")
    end
    at = after_blanks(text, at + 1)
  end
end

local function array(text, at)
  return members(text, at, "]", function(result, from)
    local item, after = value(text, from)
    result[#result + 1] = item
    return after
  end)
end

local function object(text, at)
  return members(text, at, "}", function(result, from)
    if text:sub(from, from) ~= '"' then
      fail(from, "no key")
    end
    local key, after = string_value(text, from)
    after = after_blanks(text, after)
    if text:sub(after, after) ~= ":" then
      fail(after, "no colon")
    end
    result[key], after = value(text, after_blanks(text, after + 1))
    return after
  end)
end

function value(text, at)
  local sign = text:sub(at, at)
  if sign == "{" then
    return object(text, at)
  elseif sign == "[" then
    return array(text, at)
  elseif sign == '"' then
    return string_value(text, at)
  end
  local word = text:match("^[%w+.-]+", at) or ""
  local found = CONSTANTS[word]
  if found == nil then
    found = word:find("^-?%d") and tonumber(word) or fail(at, "no value")
  end
  return found, at + #word
end

local function read(_, text)
  local is_read, result, after = pcall(value, text, after_blanks(text, 1))
  if is_read and after_blanks(text, after) <= #text then
    is_read, result = false, { message = "more text at " .. after }
  end
  if not is_read then
    return nil, type(result) == "table" and result.message or result
  end
  return result
end

return setmetatable(readjson, { __call = read })
