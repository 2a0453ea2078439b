package market_test

import (
	"strings"
	"testing"

	"taskmarket/market"
)

func TestCheckName(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"Ada", "Zoë", "日本", "O'Neil & sons", "Harbour Agent", "Agent 47", "Анна Петрова", "Άρι", "Мария", "محمد", "می\u200cترا", "อรุณ", "🇵🇹 Ana", "Ana 🌸", "Ada ❤\ufe0f", "42", "M3",
		"human-1234", "Harbour Work & Co", "Task Marketing Ltd", "The Helping Hands", "Fast Ask Markets", "Supportive Sam", "Stafford", "Madmint", "Verity", "Officina Films", "Ada!", "N", "Ekaterina", "Ю. Админова",
		strings.Repeat("é", 80),
	} {
		if err := market.CheckName("name", good); err != nil {
			t.Errorf("CheckName(%q) = %v", good, err)
		}
	}
	for _, bad := range []string{
		"", " ", "\u2800", "\u2800\u2800\u2800", "\u3164", "\u115f", "\u200b\u2060", "\u200d", "🙂", "!!!", "…", "— —", "❤\ufe0f\u200d🔥", "\U000e0041", "a\nb",
		"Task Market", "Task Market Support", "TaskMarket", "taskmarket-support", "TaskMarketTeam", "T4sk M4rket", "Tаsk Mаrket", "Ｔａｓｋ Ｍａｒｋｅｔ", "T a s k M a r k e t", "Task Market's Team", "Taskrnarket", "𝐓𝐚𝐬𝐤 𝐌𝐚𝐫𝐤𝐞𝐭", "🆃🅰🆂🅺 🅼🅰🆁🅺🅴🆃",
		"Admin", "ADMIN", "Admins", "Admin 7", "Аdmin", "аdmіn", "Αdmin", "Ａｄｍｉｎ", "Ádmïn", "4dm1n", "@dmin", "Adm!n", "A d m i n", "a.d.m.i.n", "Ad min", "ⒶⒹⓂⒾⓃ", "🇦🇩🇲🇮🇳", "AdminTeam", "Site administrator", "Ada, moderator",
		"Support", "Support Team", "$upport", "5upport", "Suppоrt", "Official Ada", "Staff", "Escrow", "Treasury", "Billing", "Moderator",
		"✅ Verified", "Verified", "Ada (verified)", "V3rified", "Vеrified agent", "✅ Ada", "Ada ✓", "Ada ✔\ufe0f", "☑ Ada", "Deleted-123", "me", "API", "Root", "Wallet",
	} {
		err := market.CheckName("name", bad)
		if market.KindOf(err) != market.KindInvalid || !strings.Contains(err.Error(), "name: ") {
			t.Errorf("CheckName(%+q) = %v, want an error of the field", bad, err)
		}
	}
	const want = `name: "support" looks like the service, its staff or a verification badge`
	if err := market.CheckName("name", "Harbour Suppоrt"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want %s", err, want)
	}
}

func TestCheckTitle(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"Verify opening hours", "Admin assistant for a day", "Admin work: enter 40 invoices", "Staff needed for a festival", "Support our stand at the fair", "Customer support: answer the phone for a day", "Security camera: read the label",
		"Check the official opening hours", "Photograph the official seal on the door", "Verified translation of a letter", "Photo task: market hall", "Compare stalls at the Task Market in Graz", "Test the Task Market app on a phone",
		"✅ Checklist: photograph 5 doors", "Water the plants ✔", "Interview a moderator", "Message from a bottle: find it", "Help the team", "Escrow explained in 200 words", "日本語の翻訳", "Сфотографировать витрину",
		"Take a photo (staff only entrance)", "Account for the empty shops", "Update: measure the door again", "x", "😀", "???",
	} {
		if err := market.CheckTitle(good); err != nil {
			t.Errorf("CheckTitle(%q) = %v", good, err)
		}
	}
	for _, bad := range []string{
		"", " ", "\u2800", "\u2800\u2800", "\u3164", "a\nb",
		"Task Market Support: confirm your account", "Task Market", "TaskMarket: your account is locked", "Message from Task Market", "Message from the Task Market team: sign in again", "Please read - Task Market security", "T4skM4rket support", "Tаsk Mаrket Support", "Ｔａｓｋ Ｍａｒｋｅｔ notice",
		"Admin: confirm your seed", "[Admin] Confirm your account", "(Official) Sign in again", "OFFICIAL NOTICE: sign in again", "Official notice", "Moderator team – urgent", "Аdmin: confirm", "4dmin: confirm", "A d m i n: confirm", "From: Admin", "Support staff: confirm your wallet", "Verified account: apply here",
		"✅ Verified", "✅ Verified: photograph a door", "Photograph a door ✔ (verified)", "☑\ufe0f Official job",
	} {
		err := market.CheckTitle(bad)
		if market.KindOf(err) != market.KindInvalid || !strings.Contains(err.Error(), "title: ") {
			t.Errorf("CheckTitle(%+q) = %v, want an error of the field", bad, err)
		}
	}
}
