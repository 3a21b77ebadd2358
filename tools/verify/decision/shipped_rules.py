"""The rules of decisions that come with the extension (src/reading/shipped_rules.json): doc/spec/decision.md §1.

A document names its rules by their digest. Nobody has to supply these rules to verify a document that was decided by them.
"""

import functools

from verify.document.json_text import parse_bytes
from verify.document.canonical import digest, portable

# The same document as src/reading/shipped_rules.json.
SHIPPED_DECISION_RULES = r"""
{"allow":["allowed","permitted","may","can","enable","enables","enabled","refundable","refunds allowed",
"refunds are allowed","can not only","cannot only"],"ambiguity":[{"holds":["downgrade","upgrade","cancel","change","switch",
"renew","terminate"],"opens":["can we","can i","is it allowed","is allowed","may we","may i"],"question":
"Could you clarify which plan type, region, or timeframe you're asking about?","unless":["account","accounts","date","dates",
"plan","plans","region","regions","subscription","subscriptions","tier","tiers","timeframe","timeframes"],"unless_topic":true},
{"holds":["current","latest","now","today"],"nothing_but_stop_words_beside":true,"question":
"Could you specify the timeframe or date you're interested in?","unless":["q1","q2","q3","q4","when","date","dates"],
"unless_month_or_year":true,"unless_risk":true,"unless_topic":true},{"holds":["downgrade","upgrade","cancel","change"],
"nothing_but_stop_words_follow":true,"or_after_opens_of":0,"question":
"Could you clarify what you'd like to change or modify?","unless":["feature","features","plan","plans","service","services",
"subscription","subscriptions","tier","tiers"],"unless_risk":true,"unless_topic":true}],"encrypt":["encrypt","encrypted",
"encryption","not plaintext"],"encryption_waived":["optional","not required"],"exceptions":["except","exception",
"exceptions","unless","excluding","other than","apart from","with the exception of"],"insufficiency":["insufficient",
"not enough information","don't have enough","do not have enough","can't provide","cannot provide","unable to answer",
"unable to determine","not sure","not certain","unclear","cannot determine","cannot find","not found in","not available in",
"not mentioned in","no information about","no information available","lack of context","missing context","can't answer",
"cannot answer","cannot be answered","don't know","do not know","do not say","does not say","do not contain",
"does not contain","do not mention","does not mention","no information is available","isn't enough","is not enough",
"can't find","can't determine","don't say","doesn't say","don't mention","doesn't mention","don't contain","doesn't contain",
"could not find","couldn't find","no relevant information"],"months":["january","february","march","april","may","june",
"july","august","september","october","november","december"],"negators":["not","never","no","nor","nobody","without"],
"not_negating":["not only","no later","no more","no less"],"plaintext":["plaintext","plain text","unencrypted"],"prohibit":[
"prohibited","must not","may not","cannot","can not","can't","forbidden","not allowed","not permitted","non refundable",
"no refunds","not refundable","refunds not allowed","shall not","should not","must never","should never",
"no refunds allowed","no refunds are allowed","no refunds will be allowed","no refund","no refunds permitted",
"no refunds are permitted","refunds are not allowed","no longer refundable","never refundable"],"reading":{"abbreviations":[
"etc","approx","inc","ltd","co","corp","cf","al","ca","est","min","max","incl","excl","ext","fig","vol","pp"],"form":["many",
"much","long","often","please","tell","know","want","need","get","got","like","let","possible","able","happen","happens",
"mean","means","say","says","exactly"],"number_words":{"eight":8,"eighteen":18,"eighty":80,"eleven":11,"fifteen":15,"fifty":
50,"five":5,"forty":40,"four":4,"fourteen":14,"hundred":100,"million":1000000,"nine":9,"nineteen":19,"ninety":90,"one":1,
"seven":7,"seventeen":17,"seventy":70,"six":6,"sixteen":16,"sixty":60,"ten":10,"thirteen":13,"thirty":30,"thousand":1000,
"three":3,"twelve":12,"twenty":20,"two":2},"quote_whole":400,"stop":["i","me","my","myself","we","our","ours","ourselves",
"you","your","yours","yourself","yourselves","he","him","his","himself","she","her","hers","herself","it","its","itself",
"they","them","their","theirs","themselves","what","which","who","whom","whose","this","that","these","those","am","is",
"are","was","were","be","been","being","have","has","had","having","do","does","did","doing","done","a","an","the","and",
"but","if","or","because","as","until","while","of","at","by","for","with","about","against","between","into","through",
"during","before","after","above","below","to","from","up","down","in","out","on","off","over","under","again","further",
"then","once","here","there","when","where","why","how","all","any","both","each","few","more","most","other","some","such",
"only","own","same","so","than","too","very","can","could","will","would","shall","should","may","might","must","just","now",
"also","us","per","via","upon","within","ever","still","yet","else","whether"],"titles":["mr","mrs","ms","dr","prof","st",
"no","nos","vs","sr","jr","mt"]},"refund_allowed":["refundable","refunds allowed","refunds are allowed"],"refund_refused":[
"non refundable","no refunds","not refundable","refunds not allowed","no refunds allowed","no refunds are allowed",
"no refunds will be allowed","no refund","no refunds permitted","no refunds are permitted","refunds are not allowed",
"no longer refundable","never refundable"],"risk":{"high":["policy","policies","legal","compliance","security","ssn","ssns",
"pii","encryption","encrypt","soc2","hipaa","refund","refunds","chargeback","chargebacks","pricing","limits","retention",
"delete","gdpr","personally identifiable","sensitive data","refundable","deleted","deletion","retain","retained","encrypted",
"plaintext","unencrypted","password","passwords","privacy","personal data","customer data","social security","soc 2","pci",
"breach","breaches","access","price","prices","cost","costs","fee","fees","discount","discounts","backup","backups",
"api key","api keys","audit","audits","secret","secrets","credential","credentials"],"medium":["rate limit","rate limits",
"sla","slas","uptime","quota","quotas","throttle","throttling","bandwidth","capacity"]},"stop_words":["about","above",
"after","again","against","all","also","and","any","are","because","been","before","being","below","between","both","but",
"call","can","cannot","come","could","day","did","does","doing","down","during","each","few","find","first","for","from",
"further","get","had","has","have","her","here","him","how","into","its","itself","just","like","long","made","make","many",
"may","more","most","must","nor","not","now","off","oil","once","only","other","our","ours","out","over","own","part","said",
"same","shall","she","should","sit","some","such","than","that","the","their","them","then","there","these","they","this",
"those","through","time","too","two","under","until","very","was","were","what","when","where","which","while","who","whom",
"why","will","with","words","would","you","your","yours"],"topics":[{"entry":"ssn","family":"ssn"},{"entry":"ssns","family":
"ssn"},{"entry":"social security","family":"ssn"},{"entry":"sensitive data","family":"sensitive data"},{"entry":
"customer data","family":"customer data"},{"entry":"refund","family":"refund"},{"entry":"refunds","family":"refund"},{
"entry":"refundable","family":"refund"},{"entry":"purchase","family":"purchase"},{"entry":"purchases","family":"purchase"},{
"entry":"promotional","family":"promotional","kind":"qualifier"},{"entry":"rate limit","family":"rate limit","kind":
"quantity"},{"entry":"rate limits","family":"rate limit","kind":"quantity"},{"entry":"requests per hour","family":
"rate limit","kind":"quantity"},{"entry":"req/hr","family":"rate limit","kind":"quantity"},{"entry":"api rate","family":
"rate limit","kind":"quantity"},{"entry":"encrypt","family":"encryption"},{"entry":"encrypted","family":"encryption"},{
"entry":"encryption","family":"encryption"},{"entry":"plaintext","family":"encryption"},{"entry":"data storage","family":
"data storage"},{"entry":"social security number","family":"ssn"},{"entry":"social security numbers","family":"ssn"},{
"entry":"plain text","family":"encryption"},{"entry":"unencrypted","family":"encryption"},{"entry":"promotion","family":
"promotional","kind":"qualifier"},{"entry":"promotions","family":"promotional","kind":"qualifier"},{"entry":"promo","family":
"promotional","kind":"qualifier"},{"entry":"legal hold","family":"legal hold","kind":"qualifier"},{"entry":"legal holds",
"family":"legal hold","kind":"qualifier"},{"entry":"backup","family":"backup","kind":"qualifier"},{"entry":"backups",
"family":"backup","kind":"qualifier"},{"entry":"gift card","family":"gift card","kind":"qualifier"},{"entry":"gift cards",
"family":"gift card","kind":"qualifier"},{"entry":"free","family":"free","kind":"qualifier"},{"entry":"trial","family":
"trial","kind":"qualifier"},{"entry":"enterprise","family":"enterprise","kind":"qualifier"},{"entry":"retention","family":
"retention"},{"entry":"retained","family":"retention"},{"entry":"retain","family":"retention"},{"entry":"access","family":
"access"},{"entry":"accessed","family":"access"},{"entry":"password","family":"password"},{"entry":"passwords","family":
"password"},{"entry":"price","family":"price"},{"entry":"prices","family":"price"},{"entry":"pricing","family":"price"},{
"entry":"cost","family":"price"},{"entry":"costs","family":"price"},{"entry":"fee","family":"price"},{"entry":"fees",
"family":"price"},{"entry":"discount","family":"discount"},{"entry":"discounts","family":"discount"},{"entry":"discounted",
"family":"discount"}],"units":{"$":["dollar","dollars","usd"],"%":["percent","per cent","pct"],"GB":["gb","gigabytes",
"gigabyte"],"KB":["kb","kilobytes","kilobyte"],"MB":["mb","megabytes","megabyte"],"TB":["tb","terabytes","terabyte"],
"attempts":["attempt","attempts"],"business days":["business day","business days","working day","working days"],"characters":
["character","characters"],"days":["day","days","calendar day","calendar days"],"hours":["hour","hours","hr","hrs","h"],
"minutes":["minute","minutes","min","mins"],"months":["month","months"],"ms":["ms","milliseconds","millisecond"],"req/day":[
"requests per day","req/day","requests/day"],"req/hr":["requests per hour","request per hour","req per hour","reqs per hour",
"req/hr","req/hour","requests/hour","requests/hr","requests per hr","api requests per hour","api calls per hour",
"calls per hour","requests an hour","requests each hour"],"req/min":["requests per minute","req/min","requests/minute",
"requests per min","requests/min"],"req/s":["requests per second","req/s","requests/second"],"seconds":["second","seconds",
"sec","secs","s"],"times":["time","times"],"users":["user","users"],"weeks":["week","weeks"],"years":["year","years"],
"\u00a3":["pound","pounds","gbp"],"\u20ac":["euro","euros","eur"]}}
"""


@functools.lru_cache(maxsize=None)
def shipped_rules():
    """{digest: rules} of those that come with the extension. None is ever removed: documents name them by digest."""
    return {digest(one): one for one in (portable(parse_bytes(text.encode())) for text in (SHIPPED_DECISION_RULES,))}


def known_rules(given):
    """The rules that are given and those that come with the extension."""
    return (*given, *shipped_rules().values())
