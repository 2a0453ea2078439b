// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {typedDataDigest} from "../utils/TypedData.sol";
import {bound, vm} from "../utils/Vm.sol";

/// @dev Tests the digest, number and encoding of verdict signatures. Replays, malformed signatures,
/// contract validators and panel changes are tested in test/scenario.
contract VerdictSignaturesTest is Market {
    function test_DigestIsTypedData() external {
        _post();
        uint256 taskId = _disputed(agent);
        bytes32 typeHash =
            keccak256("Verdict(uint256 taskId,bytes32 workHash,uint8 round,bool approved)");
        bytes32 verdict = keccak256(abi.encode(typeHash, taskId, WORK, 1, true));
        vm.assertEq(
            escrow.verdictDigest(taskId, true),
            typedDataDigest("TaskmarketEscrow", address(escrow), verdict)
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
