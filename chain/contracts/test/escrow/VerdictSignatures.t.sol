// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Escrow} from "../../src/Escrow.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {bound, vm} from "../utils/Vm.sol";
import {KeyWallet, OddWallet} from "../utils/Wallets.sol";

/// @dev Which signatures are accepted, and over what.
contract VerdictSignaturesTest is Market {
    uint256 private constant CURVE_ORDER =
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
    uint256 private constant WALLET_KEY = 0xF1;

    function test_DigestIsTypedData() external {
        _post();
        uint256 taskId = _disputed(agent);
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("TaskmarketEscrow"),
                keccak256("1"),
                block.chainid,
                address(escrow)
            )
        );
        bytes32 typeHash =
            keccak256("Verdict(uint256 taskId,bytes32 workHash,uint8 round,bool approved)");
        bytes32 verdict = keccak256(abi.encode(typeHash, taskId, WORK, 1, true));
        vm.assertEq(
            escrow.verdictDigest(taskId, true),
            keccak256(abi.encodePacked(hex"1901", domain, verdict))
        );
    }

    function test_RevertWhen_BelowQuorum() external {
        uint256 taskId = _disputed(agent);
        for (uint256 count = 0; count < QUORUM; ++count) {
            bytes[] memory signatures = _signed(escrow.verdictDigest(taskId, true), count);
            _assertRefused(
                taskId,
                signatures,
                abi.encodeWithSelector(IEscrow.QuorumNotReached.selector, count, QUORUM)
            );
        }
    }

    function test_RevertWhen_MoreThanPanelCanHave() external {
        uint256 taskId = _disputed(agent);
        _assertRefused(
            taskId,
            new bytes[](33),
            abi.encodeWithSelector(IEscrow.TooManySignatures.selector, 33, 32)
        );
    }

    function test_AllSigned() external {
        uint256 taskId = _disputed(agent);
        bytes[] memory signatures = _signed(escrow.verdictDigest(taskId, true), keys.length);
        escrow.approveSubmission(taskId, signatures);
        _assertStatus(taskId, IEscrow.Status.Released);
    }

    function test_FullPanelSigned() external {
        uint256 free = 32 - keys.length;
        address[] memory added = new address[](free);
        for (uint256 i = 0; i < free; ++i) {
            added[i] = vm.addr(0xF01 + i);
            _insertSorted(0xF01 + i);
        }
        _escrowAs(owner).changePanel(added, new address[](0), 17);
        uint256 taskId = _disputed(agent);
        escrow.approveSubmission(taskId, _signed(escrow.verdictDigest(taskId, true), 32));
        _assertStatus(taskId, IEscrow.Status.Released);
    }

    function test_RevertWhen_Unsorted() external {
        uint256 taskId = _disputed(agent);
        bytes[] memory signatures = _verdict(taskId, true);
        (signatures[0], signatures[1]) = (signatures[1], signatures[0]);
        _assertRefused(
            taskId, signatures, abi.encodeWithSelector(IEscrow.SignersNotAscending.selector, 1)
        );
    }

    function test_RevertWhen_Twice() external {
        uint256 taskId = _disputed(agent);
        bytes[] memory signatures = _verdict(taskId, true);
        signatures[1] = signatures[0];
        _assertRefused(
            taskId, signatures, abi.encodeWithSelector(IEscrow.SignersNotAscending.selector, 1)
        );
    }

    /// @dev The twin of a signature with high s is the same signer's, so it must not count twice.
    function test_RevertWhen_HighS() external {
        uint256 taskId = _disputed(agent);
        bytes[] memory signatures = _verdict(taskId, true);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keys[1], escrow.verdictDigest(taskId, true));
        signatures[1] =
            abi.encodePacked(r, bytes32(CURVE_ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        _assertRefused(
            taskId, signatures, abi.encodeWithSelector(IEscrow.InvalidSignature.selector, 1)
        );
    }

    function testFuzz_RevertWhen_BadRecoveryId(uint8 v) external {
        vm.assume(v != 27 && v != 28);
        uint256 taskId = _disputed(agent);
        bytes[] memory signatures = _verdict(taskId, true);
        signatures[0][64] = bytes1(v);
        _assertRefused(
            taskId, signatures, abi.encodeWithSelector(IEscrow.InvalidSignature.selector, 0)
        );
    }

    function testFuzz_RevertWhen_OtherLength(uint256 length) external {
        length = bound(length, 0, 130);
        vm.assume(length != 65);
        uint256 taskId = _disputed(agent);
        bytes[] memory signatures = _verdict(taskId, true);
        bytes memory cut = new bytes(length);
        for (uint256 i = 0; i < length && i < 65; ++i) {
            cut[i] = signatures[0][i];
        }
        signatures[0] = cut;
        _assertRefused(
            taskId, signatures, abi.encodeWithSelector(IEscrow.InvalidSignature.selector, 0)
        );
    }

    function testFuzz_RevertWhen_OtherDigest(bytes32 digest) external {
        uint256 taskId = _disputed(agent);
        vm.assume(digest != escrow.verdictDigest(taskId, true));
        _assertNotCounted(taskId, _signed(digest, QUORUM));
    }

    function test_RevertWhen_ReplayedForOtherTask() external {
        bytes[] memory signatures = _verdict(_disputed(agent), true);
        _assertNotCounted(_disputed(agent), signatures);
    }

    function test_RevertWhen_ReplayedForOtherRuling() external {
        uint256 taskId = _disputed(agent);
        _assertNotCounted(taskId, _verdict(taskId, false));
    }

    function test_RevertWhen_ReplayedInLaterRound() external {
        uint256 taskId = _submitted();
        bytes[] memory review = _verdict(taskId, true);
        _escrowAs(agent).disputeTask(taskId);
        _assertNotCounted(taskId, review);
    }

    function test_RevertWhen_ReplayedOnOtherChain() external {
        uint256 taskId = _disputed(agent);
        bytes[] memory signatures = _verdict(taskId, true);
        vm.chainId(block.chainid + 1);
        _assertNotCounted(taskId, signatures);
        escrow.approveSubmission(taskId, _verdict(taskId, true));
    }

    function test_RevertWhen_ReplayedOnOtherContract() external {
        bytes[] memory signatures = _verdict(_disputed(agent), true);
        Escrow first = escrow;
        setUp();
        uint256 taskId = _disputed(agent);
        vm.assertTrue(address(escrow) != address(first));
        _assertNotCounted(taskId, signatures);
    }

    function test_RevertWhen_NotInPanel() external {
        uint256 taskId = _disputed(agent);
        bytes[] memory signatures = new bytes[](2);
        bytes32 digest = escrow.verdictDigest(taskId, true);
        (uint256 low, uint256 high) =
            stranger < validators[0] ? (0xC1, keys[0]) : (keys[0], uint256(0xC1));
        signatures[0] = _signature(low, digest);
        signatures[1] = _signature(high, digest);
        _assertRefused(
            taskId,
            signatures,
            abi.encodeWithSelector(IEscrow.NotAValidatorOfTask.selector, taskId, stranger)
        );
    }

    function test_PanelOfAcceptanceRules() external {
        uint256 taskId = _disputed(agent);
        address[] memory removed = new address[](2);
        (removed[0], removed[1]) = (validators[0], validators[1]);
        _escrowAs(owner).changePanel(_list(stranger), removed, 2);

        // Those removed later count, the one added later does not.
        uint256 later = _disputed(agent);
        _assertRefused(
            later,
            _verdict(later, true),
            abi.encodeWithSelector(IEscrow.NotAValidatorOfTask.selector, later, validators[0])
        );
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertStatus(taskId, IEscrow.Status.Released);
    }

    function test_LaterValidatorCannotRule() external {
        uint256 taskId = _disputed(agent);
        _escrowAs(owner).changePanel(_list(stranger), validators, 1);
        bytes[] memory signatures = new bytes[](2);
        bytes32 digest = escrow.verdictDigest(taskId, true);
        bool first = stranger < validators[2];
        signatures[0] = _signature(first ? 0xC1 : keys[2], digest);
        signatures[1] = _signature(first ? keys[2] : 0xC1, digest);
        _assertRefused(
            taskId,
            signatures,
            abi.encodeWithSelector(IEscrow.NotAValidatorOfTask.selector, taskId, stranger)
        );
    }

    function test_LowerQuorumLaterDoesNotCount() external {
        uint256 taskId = _disputed(agent);
        address[] memory removed = new address[](2);
        (removed[0], removed[1]) = (validators[1], validators[2]);
        _escrowAs(owner).changePanel(new address[](0), removed, 1);
        _assertRefused(
            taskId,
            _signed(escrow.verdictDigest(taskId, true), 1),
            abi.encodeWithSelector(IEscrow.QuorumNotReached.selector, 1, 2)
        );
    }

    function test_ContractValidator() external {
        address wallet = address(new KeyWallet(vm.addr(WALLET_KEY)));
        uint256 taskId = _disputedUnder(wallet);
        bytes32 digest = escrow.verdictDigest(taskId, true);
        escrow.approveSubmission(
            taskId, _with(digest, abi.encodePacked(wallet, _signature(WALLET_KEY, digest)))
        );
        _assertStatus(taskId, IEscrow.Status.Released);
    }

    function test_RevertWhen_ContractValidatorRejects() external {
        address wallet = address(new KeyWallet(vm.addr(WALLET_KEY)));
        uint256 taskId = _disputedUnder(wallet);
        bytes32 digest = escrow.verdictDigest(taskId, true);
        bytes memory other = _signature(WALLET_KEY, escrow.verdictDigest(taskId, false));
        _assertNotCounted(taskId, _with(digest, abi.encodePacked(wallet, other)));
    }

    function test_OddContractValidators() external {
        _assertOddCounts(OddWallet.Answer.Yes, true);
        _assertOddCounts(OddWallet.Answer.Endless, true);
        _assertOddCounts(OddWallet.Answer.No, false);
        _assertOddCounts(OddWallet.Answer.Short, false);
        _assertOddCounts(OddWallet.Answer.Reverts, false);
    }

    /// @dev Shorter signatures than a key's are invalid, even if a wallet would accept them.
    function test_RevertWhen_ContractSignsTooShortly() external {
        address wallet = address(new OddWallet(OddWallet.Answer.Yes));
        uint256 taskId = _disputedUnder(wallet);
        bytes32 digest = escrow.verdictDigest(taskId, true);
        _assertNotCounted(taskId, _with(digest, abi.encodePacked(wallet, new bytes(44))));
    }

    /// @dev An account with code that signs as a key (EIP-7702) is still a key.
    function test_ValidatorWithCode() external {
        uint256 taskId = _disputed(agent);
        vm.etch(validators[0], abi.encodePacked(hex"ef0100", address(token)));
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _assertStatus(taskId, IEscrow.Status.Released);
    }

    function _assertOddCounts(OddWallet.Answer answer, bool counts) private {
        setUp();
        address wallet = address(new OddWallet(answer));
        uint256 taskId = _disputedUnder(wallet);
        bytes32 digest = escrow.verdictDigest(taskId, true);
        bytes[] memory signatures = _with(digest, abi.encodePacked(wallet, new bytes(46)));
        if (!counts) return _assertNotCounted(taskId, signatures);
        escrow.approveSubmission(taskId, signatures);
        _assertStatus(taskId, IEscrow.Status.Released);
    }

    /// @dev A disputed task whose panel is `wallet` and the validators, with a quorum of three.
    function _disputedUnder(address wallet) private returns (uint256) {
        _escrowAs(owner).changePanel(_list(wallet), new address[](0), 3);
        return _disputed(agent);
    }

    /// @dev The first two validators' signatures and the one given, sorted by signer.
    function _with(bytes32 digest, bytes memory signature)
        private
        view
        returns (bytes[] memory signatures)
    {
        address wallet = address(bytes20(signature));
        signatures = new bytes[](3);
        uint256 place = wallet < validators[0] ? 0 : wallet < validators[1] ? 1 : 2;
        for (uint256 i = 0; i < 3; ++i) {
            if (i != place) signatures[i] = _signature(keys[i < place ? i : i - 1], digest);
        }
        signatures[place] = signature;
    }

    function _assertRefused(uint256 taskId, bytes[] memory signatures, bytes memory reason)
        private
    {
        vm.expectRevert(reason);
        escrow.approveSubmission(taskId, signatures);
    }

    function _assertNotCounted(uint256 taskId, bytes[] memory signatures) private {
        vm.expectRevert();
        escrow.approveSubmission(taskId, signatures);
        _assertStatus(taskId, IEscrow.Status.Disputed);
    }
}
