package market

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// confusables contains letters and symbols that look like a Latin letter but that Unicode normalization does not
// decompose to it, each followed by that Latin letter.
const confusables = "" +
	// Cyrillic
	"АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXԌGԚQԜWҮYДAИNЯRПNЭEЗEЄEШWЦUЬBҚKҒFҢHҰYӨO" +
	"аaеeѕsіiјjкkмmоoрpсcтtуyхxһhԁdԛqԝwӏlѵvвbнhгrґrдgпnэeзeєeшwцuьbқkғfңhүyұyөo" +
	// Greek
	"ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXΛAΞEΣEΠN" +
	"αaεeηnιiκkνvοoρpτtυuχxωwσoπn" +
	// Armenian
	"ՍUՕOՏSԼLսuօoցgհhոnզqյj" +
	// Cherokee
	"ᎠDᎡRᎢTᎥiᎪAᎫJᎬEᎳWᎷMᎻHᎽYᏀGᏃZᏂhᏏbᏒRᏔWᏚSᏙVᏞLᏟCᏢPᏦKᏧdᏴBᏆI" +
	// Lisu
	"ꓮAꓐBꓚCꓓDꓰEꓝFꓖGꓧHꓲIꓙJꓗKꓡLꓟMꓠNꓳOꓑPꓣRꓢSꓔTꓴUꓦVꓪWꓫXꓬYꓜZ" +
	// Coptic
	"ⲀAⲂBⲆDⲈEⲎHⲒIⲔKⲘMⲚNⲞOⲢPⲤCⲦTⲨYⲬX" +
	"ⲁaⲃbⲇdⲉeⲏhⲓiⲕkⲙmⲛnⲟoⲣpⲥcⲧtⲩyⲭx" +
	// Canadian syllabics
	"ᗩAᗷBᑕCᗪDᗴEᖴFᕼHᒍJᒪLᗰMᑎNᗝOᑭPᑫQᖇRᔕSᑌUᐯVᗯW᙭XᘔZ" +
	// small capitals
	"ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz" +
	// Latin letters with strokes and hooks, turned letters
	"ȺAɃBƁBƇCĐDƊDɆEƎEƏEƐEƑFƓGĦHƗIɈJƘKŁLⱠLŊNƝNØOƟOƤPⱣPⱤRɌRŦTƬTɄUƲVƳYɎYƵZ" +
	"ɑaɐaʌaⱥaƀbɓbƈcɕcđdɖdɗdɇeɛeəeǝeɘeƒfɡgɠgħhɦhıiɨiɩiɉjɟjʝjƙkłlⱡlƚlɫlɭlɱmɯmŋnɲnɳnƞnøoɵoɔoƥpɋqʠqɍrɹrɽrɾrʂsȿsŧtƭtʈtʇtʉuʋvʎyƴyɏyƶzʐzʑzȥz" +
	// currencies and other symbols
	"₳A฿B₿B₵C₡C₣F₲G₭K₤L£L₥M₦N₱P₽P₹R₴S₮T₸T₩W¥Y¢c₫d§s∆A🆎A○O◯O⭕O℮e∂d©c®r"

// latin maps each of the confusables to its Latin letter.
var latin = func() map[rune]rune {
	letters, pairs := []rune(confusables), map[rune]rune{}
	for i := 0; i < len(letters); i += 2 {
		pairs[letters[i]] = letters[i+1]
	}
	return pairs
}()

// enclosed contains the first letter, A, of each alphabet of letters in circles or squares, or of flags, that
// Unicode normalization does not decompose. Each alphabet is contiguous from A to Z.
var enclosed = []rune{'🅐', '🅰', '🇦'}

// Undisguise replaces a letter that looks like a Latin one. It returns -1 for a mark around letters.
func Undisguise(r rune) rune {
	if r <= unicode.MaxASCII {
		return r
	}
	if unicode.Is(unicode.Me, r) {
		return -1
	}
	for _, first := range enclosed {
		if first <= r && r < first+26 {
			return 'A' + r - first
		}
	}
	if unicode.Is(unicode.Cherokee, r) {
		r = unicode.ToUpper(r) // its small letters look like small capitals
	}
	if letter, found := latin[r]; found {
		return letter
	}
	return r
}

// leetSymbols replaces symbols that stand for letters.
var leetSymbols = strings.NewReplacer("@", "a", "$", "s", "€", "e", "!", "i", "|", "l", "¡", "i")

// plainWords returns the words of a text as they look: in lower case, without accents, hidden characters and
// apostrophes, and with Latin letters instead of those that look like them. A word also ends before a capital
// letter that follows a small letter.
func plainWords(text string) []string {
	var out strings.Builder
	small := false
	for _, r := range norm.NFKD.String(text) {
		if Hidden(r) || unicode.IsMark(r) || strings.ContainsRune("'’ʼ`", r) {
			continue
		}
		r = Undisguise(r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || small && unicode.IsUpper(r) {
			out.WriteByte(' ')
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out.WriteRune(unicode.ToLower(r))
		}
		small = unicode.IsLower(r)
	}
	return strings.Fields(out.String())
}
